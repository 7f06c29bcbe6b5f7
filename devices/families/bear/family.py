"""The family of BEAR actuators: its settings, driver, bench tool and twin."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from devices.errors import DeviceError
from devices.families.bear.bench import EVERY_ID, BearBench
from devices.families.bear.drives import Drives
from devices.families.bear.rounds import MOST
from devices.families.bear.setup import BearPlan
from devices.families.interface import (
    ActuatorFamily,
    ActuatorTable,
    FittedActuator,
    TwinActuators,
    TwinBuild,
)
from devices.interface import Timekeeper
from devices.real.port import Port

Seconds = Annotated[float, Meta(gt=0.0, le=10.0)]
Celsius = Annotated[float, Meta(ge=20.0, le=150.0)]


class Bears(ActuatorTable, frozen=True, kw_only=True):
    """Settings of the BEAR actuators.

    Attributes:
        firmware: versions that passed the bench tests, as hexadecimal digits of the answer to a
            ping; others are reported.
        patience_s: longest time that a tick waits for missing replies [s].
        gains_while_enabled: force gains may be written while the torque is on; otherwise the
            difference to the profile's gains is added as torque.
        watchdog: value of the actuators' own watchdog, in the firmware's unit; 0 is off.
        silent_s: silence after which an actuator is not driven until it was damped [s].
        current_share: fraction of the stall current that an actuator may draw.
        warm_c: winding temperature at which an actuator begins to limit its current [°C].
        hot_c: winding temperature at which an actuator switches its torque off [°C].
    """

    patience_s: Annotated[float, Meta(ge=0.0, le=0.002)]
    gains_while_enabled: bool
    watchdog: Annotated[int, Meta(ge=0, le=100_000)]
    silent_s: Seconds
    current_share: Annotated[float, Meta(gt=0.0, le=1.0)]
    warm_c: Celsius
    hot_c: Celsius

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        ActuatorTable.__post_init__(self)
        if self.warm_c >= self.hot_c:
            raise ValueError("warm_c must be below hot_c")


def bear_plans(
    table: Bears, fitted: Sequence[FittedActuator], ports: Mapping[str, Port]
) -> dict[str, list[BearPlan]]:
    """Return the actuators of each line, in the order of the joints.

    Raises:
        DeviceError: a line has more actuators than it can serve.
    """
    plans: dict[str, list[BearPlan]] = {}
    for one in fitted:
        plan = BearPlan(
            joint=one.joint,
            place=one.place,
            id=one.id,
            gear=one.gear,
            sign=one.sign,
            zero_rad=one.zero_rad,
            torque_constant=one.torque_constant,
            current_a=table.current_share * one.stall_torque / one.torque_constant,
            kp=one.kp,
            kd=one.kd,
            watchdog=table.watchdog,
            warm_c=table.warm_c,
            hot_c=table.hot_c,
        )
        plans.setdefault(one.line, []).append(plan)
    for line, row in plans.items():
        if len(row) > MOST:
            text = f"{len(row)} actuators are more than one line can serve; connect {MOST} at most"
            raise DeviceError(ports[line].device, text)
    return plans


def _open(
    table: Bears,
    fitted: Sequence[FittedActuator],
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> Drives:
    return Drives(
        bear_plans(table, fitted, ports),
        ports,
        timekeeper,
        silent_s=table.silent_s,
        patience_s=table.patience_s,
        firmware=table.firmware,
        gains_while_enabled=table.gains_while_enabled,
    )


def _traits(table: Bears) -> object:
    from devices.families.bear.twin.traits import BearTraits

    return BearTraits(config_while_enabled=table.gains_while_enabled)


def _twin(build: TwinBuild) -> TwinActuators:
    # The robot's computer has no simulator.
    from devices.families.bear.twin.actuators import Bears as TwinBears
    from devices.families.bear.twin.group import BearGroup
    from devices.families.bear.twin.traits import BearTraits

    traits = BearTraits() if build.traits is None else build.traits
    return BearGroup(TwinBears(build.seats, build.sim, build.legs, traits), build.seats)


FAMILY = ActuatorFamily(
    table=Bears,
    ids=EVERY_ID,
    open=_open,
    bench=BearBench,
    traits=_traits,
    twin=_twin,
)
