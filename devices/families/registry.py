"""The families of actuators that a hardware file may name, one row each."""

from devices.errors import DeviceError
from devices.families.bear import family as bear
from devices.families.interface import ActuatorFamily

ACTUATORS: dict[str, ActuatorFamily] = {
    "bear": bear.FAMILY,
}


def actuator_family(name: str) -> ActuatorFamily:
    """Return a family of actuators by its name in the hardware file.

    Raises:
        DeviceError: there is no such family.
    """
    if name not in ACTUATORS:
        text = f"actuators.{name}: there is no such family; give one of {', '.join(ACTUATORS)}"
        raise DeviceError("hardware.toml", text)
    return ACTUATORS[name]
