"""The error of all codecs."""


class WireError(ValueError):
    """Bytes are not a message of their protocol, or a message cannot be encoded."""
