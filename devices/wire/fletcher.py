"""The Fletcher checksum of two bytes, which MIP and the safe remote share."""

from itertools import accumulate


def fletcher(data: bytes) -> bytes:
    """Return the two check bytes of a packet without them, in their order on the wire.

    With all sums modulo 256: a = Σ data[i], b = the sum of all intermediate a.
    """
    sums = list(accumulate(data))
    if not sums:
        return b"\0\0"
    return bytes((sums[-1] & 0xFF, sum(sums) & 0xFF))


def holds(packet: bytes) -> bool:
    """Return whether the last two bytes of a packet are the checksum of those before."""
    data = packet[:-2]
    if not data or packet[-2] != sum(data) & 0xFF:
        return False
    return packet[-1] == sum(accumulate(data)) & 0xFF
