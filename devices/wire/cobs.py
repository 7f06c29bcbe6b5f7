"""Consistent overhead byte stuffing: encodes bytes without zeros, which separate messages.

Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking
7(2), 1999. The overhead is one byte, and at most one more in 254.
"""

from devices.wire.errors import WireError

DELIMITER = b"\0"
_LONGEST_RUN = 254


def encode(data: bytes) -> bytes:
    """Return the encoded bytes, which hold no zero."""
    out = bytearray()
    runs = data.split(DELIMITER)
    last = len(runs) - 1
    for i, run in enumerate(runs):
        at = 0
        while len(run) - at >= _LONGEST_RUN:
            out.append(_LONGEST_RUN + 1)
            out += run[at : at + _LONGEST_RUN]
            at += _LONGEST_RUN
        # A full run has no zero after it; the end of the data needs none.
        if at == len(run) and at and i == last:
            break
        out.append(len(run) - at + 1)
        out += run[at:]
    return bytes(out)


def decode(data: bytes) -> bytes:
    """Return the decoded bytes.

    Raises:
        WireError: the bytes are no encoding: empty, with a zero inside, or cut off.
    """
    if not data or DELIMITER in data:
        raise WireError("bytes between two zeros are not stuffed as they should be")
    at, size = 0, len(data)
    if size <= _LONGEST_RUN:  # too short for a full run: every code stands for a zero
        short = bytearray(data)
        while at < size:
            code = data[at]
            short[at] = 0
            at += code
        if at > size:
            raise WireError("stuffed bytes end too early")
        return bytes(short[1:])
    out = bytearray()
    while at < size:
        code = data[at]
        stop = at + code
        if stop > size:
            raise WireError("stuffed bytes end too early")
        out += data[at + 1 : stop]
        at = stop
        if code <= _LONGEST_RUN and at < size:
            out.append(0)
    return bytes(out)
