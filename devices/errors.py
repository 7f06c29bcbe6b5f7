"""Errors between the core and a device."""


class DeviceError(Exception):
    """A device failed or refused a request.

    Attributes:
        device: name of the device, as an operator knows it.
    """

    def __init__(self, device: str, message: str) -> None:
        super().__init__(f"{device}: {message}")
        self.device = device
