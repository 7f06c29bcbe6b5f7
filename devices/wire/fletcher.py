"""The Fletcher checksum of two bytes, which MIP and the safe remote share."""

from itertools import accumulate


def fletcher(data: bytes) -> bytes:
    """Return the two check bytes of a packet without them, as they go over the wire.

    With all sums modulo 256: a = Σ data[i], b = Σ of every a on the way.
    """
    sums = list(accumulate(data))
    if not sums:
        return b"\0\0"
    return bytes((sums[-1] & 0xFF, sum(sums) & 0xFF))


def holds(packet: bytes) -> bool:
    """Tell whether the last two bytes of a packet are the checksum of those before."""
    sums = list(accumulate(packet[:-2]))
    if not sums:
        return False
    return packet[-2] == sums[-1] & 0xFF and packet[-1] == sum(sums) & 0xFF
