"""Open Sound Control 1.0: messages and bundles in datagrams.

A string ends with a zero and is padded to four bytes. Time tags are not used: everything counts at
its arrival. Source: "The Open Sound Control 1.0 Specification" (2002), opensoundcontrol.org.
"""

import math
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from devices.capture.errors import CaptureError, Refusal

Argument: TypeAlias = int | float | str | bytes | bool | None

MOST_BYTES: Final = 8192
MOST_MESSAGES: Final = 64
MOST_ARGUMENTS: Final = 16
DEEPEST: Final = 2
IMMEDIATELY: Final = bytes(7) + b"\1"
_BUNDLE: Final = b"#bundle\0"
_SIZE = struct.Struct(">i")
_NUMBERS: Final = {
    "i": struct.Struct(">i"),
    "f": struct.Struct(">f"),
    "h": struct.Struct(">q"),
    "d": struct.Struct(">d"),
}
_MOST_SINGLE: Final = 3.4028234e38
_CONSTANTS: Final[dict[str, Argument]] = {"T": True, "F": False, "N": None}
_ADDRESS = re.compile(r"/[!-~]*")
_PATTERN = re.compile(r"[#*,?\[\]{}]")


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        address: begins with a slash.
        arguments: at most 16.
    """

    address: str
    arguments: tuple[Argument, ...] = ()

    def encode(self) -> bytes:
        """Return the message as a packet; a float has single precision if it is not too large.

        Raises:
            CaptureError: the address is none, or an argument cannot be sent.
        """
        if not _ADDRESS.fullmatch(self.address) or _PATTERN.search(self.address):
            raise CaptureError(Refusal.FORM, f"{self.address!r} is no address of a message")
        if len(self.arguments) > MOST_ARGUMENTS:
            raise CaptureError(Refusal.FORM, f"a message has at most {MOST_ARGUMENTS} arguments")
        tags, content = ",", b""
        for argument in self.arguments:
            tag, data = _encoded(argument)
            tags += tag
            content += data
        return _string(self.address) + _string(tags) + content


def bundle(packets: Iterable[bytes]) -> bytes:
    """Return packets as one bundle that counts at its arrival."""
    return _BUNDLE + IMMEDIATELY + b"".join(_SIZE.pack(len(one)) + one for one in packets)


def decode(datagram: bytes) -> list[Message]:
    """Return the messages of a datagram, those of bundles in their order.

    Raises:
        CaptureError: it is too large, damaged, has too many messages, or a number that is not
            finite.
    """
    if len(datagram) > MOST_BYTES:
        raise CaptureError(Refusal.SIZE, f"a packet has at most {MOST_BYTES} bytes")
    found: list[Message] = []
    for packet in _packets(datagram, 0):
        if len(found) == MOST_MESSAGES:
            raise CaptureError(Refusal.MESSAGES, f"a packet has at most {MOST_MESSAGES} messages")
        found.append(_message(packet))
    return found


def _packets(data: bytes, depth: int) -> Iterator[bytes]:
    """Yield the packets of messages in a packet.

    Raises:
        CaptureError: a bundle is damaged, or nested too deeply.
    """
    if not data.startswith(_BUNDLE):
        yield data
        return
    if depth == DEEPEST:
        raise CaptureError(Refusal.FORM, f"bundles are nested deeper than {DEEPEST}")
    at = len(_BUNDLE) + len(IMMEDIATELY)
    if len(data) < at:
        raise CaptureError(Refusal.FORM, "a bundle is cut off")
    while at < len(data):
        if at + 4 > len(data):
            raise CaptureError(Refusal.FORM, "a bundle is cut off")
        (size,) = _SIZE.unpack_from(data, at)
        at += 4
        if size <= 0 or size % 4 or at + size > len(data):
            raise CaptureError(Refusal.FORM, f"a part of a bundle has {size} bytes")
        yield from _packets(data[at : at + size], depth + 1)
        at += size


def _message(data: bytes) -> Message:
    address, at = _read_string(data, 0)
    if not _ADDRESS.fullmatch(address) or _PATTERN.search(address):
        raise CaptureError(Refusal.FORM, "a message has no address, or a pattern for one")
    if at == len(data):  # senders of old leave the tags out
        return Message(address)
    tags, at = _read_string(data, at)
    if not tags.startswith(",") or len(tags) > MOST_ARGUMENTS + 1:
        raise CaptureError(Refusal.FORM, f"a message has no tags, or more than {MOST_ARGUMENTS}")
    arguments = []
    for tag in tags[1:]:
        argument, at = _argument(tag, data, at)
        arguments.append(argument)
    if at != len(data):
        raise CaptureError(Refusal.FORM, "a message is longer than its arguments")
    return Message(address, tuple(arguments))


def _argument(tag: str, data: bytes, at: int) -> tuple[Argument, int]:
    """Return an argument, and where the next one begins."""
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], at
    if tag == "s":
        return _read_string(data, at)
    if tag == "b":
        if at + 4 > len(data):
            raise CaptureError(Refusal.FORM, "a message is cut off")
        (size,) = _SIZE.unpack_from(data, at)
        end = at + 4 + size
        if size < 0 or end > len(data):
            raise CaptureError(Refusal.FORM, "a message is cut off")
        return data[at + 4 : end], at + 4 + (size + 3) // 4 * 4
    form = _NUMBERS.get(tag)
    if form is None:
        raise CaptureError(Refusal.FORM, f"a message has an argument of the kind {tag!r}")
    if at + form.size > len(data):
        raise CaptureError(Refusal.FORM, "a message is cut off")
    (number,) = form.unpack_from(data, at)
    if not math.isfinite(number):
        raise CaptureError(Refusal.NUMBERS, "a message has a number that is not finite")
    return number, at + form.size


def _read_string(data: bytes, at: int) -> tuple[str, int]:
    end = data.find(b"\0", at)
    if end < 0:
        raise CaptureError(Refusal.FORM, "a string has no end")
    after = end // 4 * 4 + 4
    if after > len(data):
        raise CaptureError(Refusal.FORM, "a string is cut off")
    # A name of an avatar's part in another coding must not cost the bones beside it.
    return data[at:end].decode("utf-8", "replace"), after


def _string(text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if b"\0" in data:
        raise CaptureError(Refusal.FORM, "a string has a zero in it")
    return data + bytes(4 - len(data) % 4)


def _encoded(argument: Argument) -> tuple[str, bytes]:
    """Return an argument's tag and bytes."""
    for tag, constant in _CONSTANTS.items():
        if argument is constant:
            return tag, b""
    if isinstance(argument, str):
        return "s", _string(argument)
    if isinstance(argument, bytes):
        return "b", _SIZE.pack(len(argument)) + argument + bytes(-len(argument) % 4)
    if isinstance(argument, float):
        if not math.isfinite(argument):
            raise CaptureError(Refusal.NUMBERS, f"{argument} cannot be sent")
        tag = "f" if abs(argument) <= _MOST_SINGLE else "d"
        return tag, _NUMBERS[tag].pack(argument)
    assert isinstance(argument, int)
    tag = "i" if -(2**31) <= argument < 2**31 else "h"
    try:
        return tag, _NUMBERS[tag].pack(argument)
    except struct.error:
        raise CaptureError(Refusal.NUMBERS, f"{argument} cannot be sent") from None
