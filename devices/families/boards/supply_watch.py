"""Switches the motors' supply on request while no core runs, and reports its state.

It serves tests of the stop chain, and actuators that are questioned or turned by hand. Every tick
stops the hands and feeds the supervisor's watchdog; when it ends, the supervisor opens the
contactor.
"""

from collections.abc import Callable, Mapping, Sequence

from devices.errors import DeviceError
from devices.families.boards.boards import Boards
from devices.families.boards.wire.supervisor import PowerState
from devices.interface import Sample, Timekeeper
from devices.real.port import Port
from devices.real.settings import Hardware
from devices.real.stop_circuit import StopCircuit

PERIOD_S = 0.005
LISTEN_S = 0.5  # until every device was heard
_STATES = {
    PowerState.OPEN: "open",
    PowerState.PRECHARGE: "open, and the motors' capacitors are charged",
    PowerState.CLOSED: "CLOSED: the motors have their supply",
    PowerState.STOPPING: "CLOSED, and the stop timer runs",
    PowerState.LATCHED: "open, and latched",
}


def watch_supply(
    hardware: Hardware,
    ports: Mapping[str, Port],
    joint_names: Sequence[str],
    switches: Sequence[str],
    timekeeper: Timekeeper,
    say: Callable[[str], None],
    wish: Callable[[], bool | None],
) -> None:
    """Report each change of the contactor and the stop chain until told to end.

    Args:
        hardware: the devices.
        ports: every line by name.
        joint_names: every joint in the profile's order.
        switches: every contact switch in the profile's order.
        timekeeper: the clock.
        say: prints a line for the technician.
        wish: returns whether the technician has just requested the supply; None ends.

    Raises:
        DeviceError: there is no supervisor, or the hardware file names an unknown joint or switch.
    """
    boards = Boards(hardware, ports, joint_names, switches)
    supervisor, supply = boards.supervisor, boards.supply
    if supervisor is None or supply is None:
        raise DeviceError("hardware.toml", "the robot has no supervisor; add [supervisor] to it")
    circuit = StopCircuit.of(hardware, ports, supervisor)
    sample = Sample.zeros(len(joint_names), len(switches))
    told: tuple[str, ...] = ()
    now_s = timekeeper.now_s()
    begin_s = now_s + LISTEN_S
    while (wished := wish()) is not None:
        boards.read_into(sample, now_s)
        circuit.read_into(sample, now_s)
        if wished:
            supply.restore(now_s)
        boards.stop(now_s)
        heard = supervisor.supply(now_s) is not None
        status = supervisor.status if heard else None
        state = "not heard of" if status is None else _STATES[status.state]
        words = {True: "closed", False: "OPEN"}
        channels = ", ".join(f"{one.name} {words[one.closed]}" for one in circuit.channels())
        troubles = (*supply.troubles(), *circuit.troubles())
        found = (
            f"contactor {state}; {channels}",
            *(f"{trouble.device}: {trouble.text}" for trouble in troubles),
        )
        for line in found:
            if line not in told and now_s >= begin_s:
                say(line)
        told = found if now_s >= begin_s else ()
        timekeeper.wait_until(now_s + PERIOD_S)
        now_s = timekeeper.now_s()
