"""What is wrong with a message that somebody asks to send, or with bytes that are no message."""


class WireError(ValueError):
    """Bytes are not a message of their protocol, or a message cannot be put into bytes."""
