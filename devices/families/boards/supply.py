"""The motors' supply: an operator's request alone switches it on, any doubt switches it off."""

import math

from devices.errors import DeviceError
from devices.families.boards.supervisor import Supervisor
from devices.families.boards.wire.supervisor import PowerState
from devices.interface import Trouble

PATIENCE_S = 2.0  # from RESET to a closed contactor


class Supply:
    """Leads the supervisor from LATCHED over OPEN to CLOSED on request, within a time limit.

    Args:
        supervisor: supervisor of the motors' supply.
    """

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._until_s = -math.inf  # latch of the request that must be reset first
        self._latch_code = 0
        self._objection = ""
        self._now_s = -math.inf

    @property
    def closed(self) -> bool:
        """Whether the motors have their supply; False while the supervisor is silent."""
        status = self._supervisor.status
        if status is None or status.state is not PowerState.CLOSED:
            return False
        return self._supervisor.age_s(self._now_s) <= self._supervisor.silent_s

    def restore(self, now_s: float) -> None:
        """Switch the motors' supply on at an operator's request. Never raises or waits."""
        self._until_s = -math.inf
        self._objection = ""
        status = self._supervisor.status
        try:
            if status is not None and status.state is PowerState.LATCHED:
                self._supervisor.reset(now_s)
                self._latch_code = status.latch_code
                self._until_s = now_s + PATIENCE_S
            else:
                self._supervisor.close(now_s)
        except DeviceError as error:
            self._object(error)

    def proceed(self, now_s: float) -> None:
        """Close the contactor after the reset; call it once a tick. Never raises or waits.

        A later latch, silence or delay ends the request.
        """
        self._now_s = now_s
        if self._until_s == -math.inf:
            return
        status = self._supervisor.status
        if status is not None and status.state is PowerState.LATCHED:
            if status.latch_code == self._latch_code and now_s <= self._until_s:
                return
        elif status is not None and now_s <= self._until_s:
            try:
                self._supervisor.close(now_s)
            except DeviceError as error:
                self._object(error)
        self._until_s = -math.inf

    def _object(self, error: DeviceError) -> None:
        self._objection = f"did not switch the motors' supply on: {error}"

    def troubles(self) -> tuple[Trouble, ...]:
        """Return why the last request failed."""
        if not self._objection or self.closed:
            return ()
        return (Trouble(Supervisor.device, self._objection, grave=True),)
