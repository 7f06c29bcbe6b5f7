"""What can go wrong between the core and a device."""


class DeviceError(Exception):
    """A device did not do what it was asked.

    Attributes:
        device: the device's name, as an operator knows it.
    """

    def __init__(self, device: str, message: str) -> None:
        super().__init__(f"{device}: {message}")
        self.device = device
