"""Frames of the native handset: only a holder of the robot's key can make one, valid only once.

The payload of each frame, of any kind, is

    direction u8 | session u32 | boot u32 | counter u32 | content | tag (8 bytes)

The tag is BLAKE2s with the robot's key over the session's challenge, the frame's head and the
payload before the tag. The robot draws the challenge, so that no recorded frame is valid in a new
session; the handset draws the boot number and counts, so that no frame is valid twice. A handset
sends HELLO and gets a CHALLENGE that names that HELLO; the session begins with the first input
that is valid under it, and until then the previous session continues. None of this helps against
a jammed band: silence must stop the robot.
"""

import hashlib
import hmac
import secrets
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from devices.families.boards.wire.layout import Kind, Layout
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.wire.errors import WireError
from devices.wire.frame import HEAD, VERSION, Frame

KEY_SIZE = 32
CHALLENGE_SIZE = 8
TAG_SIZE = 8
ENVELOPE = Layout(
    ("direction", "u8", ""), ("session", "u32", ""), ("boot", "u32", ""), ("counter", "u32", "")
)
_ENVELOPE = struct.Struct("<BIII")
_NUMBER = struct.Struct("<I")
_NO_CHALLENGE = bytes(CHALLENGE_SIZE)
_MOST_COUNTER = 0xFFFFFFFF


class _Refused(WireError):
    """A frame is refused, for a reason."""

    def __init__(self, reason: "Refusal") -> None:
        super().__init__(f"a handset's frame is refused for its {reason}")
        self.reason = reason


class Direction(IntEnum):
    """Receiver of a frame: an end's own frame is refused when it returns."""

    TO_ROBOT = 1
    TO_HANDSET = 2


class Refusal(StrEnum):
    """Reason to refuse a frame."""

    KIND = "kind"
    LENGTH = "length"
    DIRECTION = "direction"
    SESSION = "session"
    BOOT = "boot"
    TAG = "tag"
    COUNTER = "counter"
    CONTENT = "content"


@dataclass(slots=True)
class _Session:
    """State of a session at one end.

    Attributes:
        challenge: drawn by the robot; its first four bytes are the session's number.
        boot: boot number of the handset.
        heard: counter of the newest frame from the other end.
    """

    challenge: bytes
    boot: int
    heard: int = 0

    @property
    def number(self) -> int:
        number: int = _NUMBER.unpack_from(self.challenge)[0]
        return number


class _End:
    """Common part of both ends: sealing and opening of frames."""

    def __init__(self, key: bytes, source: int, sends: Direction, takes: Direction) -> None:
        if len(key) != KEY_SIZE:
            raise WireError(f"the handset's key has {len(key)} bytes, not {KEY_SIZE}")
        self.refused: Counter[Refusal] = Counter()
        self._key = key
        self._source = source
        self._sends = sends
        self._takes = takes
        self._counter = 0

    def _seal(
        self, kind: Kind, session: _Session, secret: bytes, content: bytes, t_us: int
    ) -> Frame:
        if self._counter == _MOST_COUNTER:
            raise WireError("the handset's counter is used up: start it anew")
        self._counter += 1
        envelope = _ENVELOPE.pack(self._sends, session.number, session.boot, self._counter)
        sequence, payload = self._counter & 0xFFFF, envelope + content
        head = HEAD.pack(VERSION, kind, self._source, sequence, t_us)
        return Frame(kind, self._source, sequence, t_us, payload + self._tag(secret, head, payload))

    def _tag(self, secret: bytes, head: bytes, payload: bytes) -> bytes:
        data = secret + head + payload
        return hashlib.blake2s(
            data, digest_size=TAG_SIZE, key=self._key, person=b"handset1"
        ).digest()

    def _open(
        self, frame: Frame, kind: Kind, size: int, session: _Session | None, secret: bytes
    ) -> tuple[int, bytes]:
        """Return counter and content of a valid frame.

        Raises:
            _Refused: the frame is invalid.
        """
        payload = frame.payload
        if frame.kind != kind:
            raise _Refused(Refusal.KIND)
        if len(payload) != _ENVELOPE.size + size + TAG_SIZE:
            raise _Refused(Refusal.LENGTH)
        direction, number, boot, counter = _ENVELOPE.unpack_from(payload)
        if direction != self._takes:
            raise _Refused(Refusal.DIRECTION)
        if session is not None and number != session.number:
            raise _Refused(Refusal.SESSION)
        if session is not None and boot != session.boot:
            raise _Refused(Refusal.BOOT)
        head = HEAD.pack(VERSION, frame.kind, frame.source, frame.sequence, frame.t_us)
        tag = self._tag(secret, head, payload[:-TAG_SIZE])
        if not hmac.compare_digest(tag, payload[-TAG_SIZE:]):
            raise _Refused(Refusal.TAG)
        if session is not None and counter <= session.heard:
            raise _Refused(Refusal.COUNTER)
        return counter, payload[_ENVELOPE.size : -TAG_SIZE]

    def _hear(self, frame: Frame, kind: Kind, size: int, session: _Session | None) -> bytes:
        """Return the content of a session's frame, which is valid only once."""
        if session is None:
            raise _Refused(Refusal.SESSION)
        session.heard, content = self._open(frame, kind, size, session, session.challenge)
        return content

    def _refuse(self, error: WireError) -> None:
        self.refused[error.reason if isinstance(error, _Refused) else Refusal.CONTENT] += 1


class RobotEnd(_End):
    """The robot's end: accepts inputs only, each only once.

    Attributes:
        refused: refused frames, by reason.
    """

    def __init__(
        self,
        key: bytes,
        source: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Initialise without a session.

        Args:
            key: key of this robot, shared with its handset (32 bytes).
            source: source of the frames that it sends.
            random_bytes: draws a challenge; replaced only in tests.

        Raises:
            WireError: the key has another length.
        """
        super().__init__(key, source, Direction.TO_HANDSET, Direction.TO_ROBOT)
        self._random_bytes = random_bytes
        self._session: _Session | None = None
        self._offered: _Session | None = None

    def challenge(self, hello: Frame, t_us: int) -> Frame | None:
        """Return the answer to a HELLO, None if the robot's handset did not send it."""
        try:
            asked, _ = self._open(hello, Kind.HANDSET_HELLO, 0, None, _NO_CHALLENGE)
        except _Refused as error:
            self._refuse(error)
            return None
        boot = _ENVELOPE.unpack_from(hello.payload)[2]
        if self._offered is None or self._offered.boot != boot:
            self._offered = _Session(self._random_bytes(CHALLENGE_SIZE), boot)
        content = self._offered.challenge + _NUMBER.pack(asked)
        return self._seal(Kind.HANDSET_CHALLENGE, self._offered, _NO_CHALLENGE, content, t_us)

    def receive(self, frame: Frame) -> HandsetInput | None:
        """Return the input in a frame, None if the frame is refused."""
        session, offered = self._session, self._offered
        if offered is not None and frame.payload[1:5] == offered.challenge[:4]:
            session = offered
        try:
            content = self._hear(frame, HandsetInput.KIND, HandsetInput.LAYOUT.size, session)
            if session is offered:
                self._session, self._offered = offered, None
            return HandsetInput.of(content)
        except WireError as error:
            self._refuse(error)
            return None

    def screen(self, screen: HandsetScreen, t_us: int) -> Frame | None:
        """Return the frame for the handset's screen, None without a session."""
        if self._session is None:
            return None
        secret = self._session.challenge
        return self._seal(screen.KIND, self._session, secret, screen.encode(), t_us)


class HandsetEnd(_End):
    """The handset's end, for the twin and as a reference for firmware.

    Attributes:
        refused: refused frames, by reason.
    """

    def __init__(self, key: bytes, source: int, boot: int) -> None:
        """Initialise without a session.

        Args:
            key: key of the robot (32 bytes).
            source: source of the frames that it sends.
            boot: drawn at random at every start, u32.

        Raises:
            WireError: the key has another length.
        """
        super().__init__(key, source, Direction.TO_ROBOT, Direction.TO_HANDSET)
        self._boot = boot
        self._asked = 0
        self._session: _Session | None = None

    def hello(self, t_us: int) -> Frame:
        """Return the frame that requests a session; send it five times a second."""
        nothing = _Session(_NO_CHALLENGE, self._boot)
        frame = self._seal(Kind.HANDSET_HELLO, nothing, _NO_CHALLENGE, b"", t_us)
        self._asked = self._counter
        return frame

    def begin(self, frame: Frame) -> bool:
        """Begin the session of a challenge; return whether it answers the last HELLO."""
        size = CHALLENGE_SIZE + _NUMBER.size
        try:
            counter, content = self._open(frame, Kind.HANDSET_CHALLENGE, size, None, _NO_CHALLENGE)
            boot = _ENVELOPE.unpack_from(frame.payload)[2]
            if boot != self._boot:
                raise _Refused(Refusal.BOOT)
            if _NUMBER.unpack_from(content, CHALLENGE_SIZE)[0] != self._asked:
                raise _Refused(Refusal.COUNTER)
        except _Refused as error:
            self._refuse(error)
            return False
        self._asked = 0
        self._session = _Session(content[:CHALLENGE_SIZE], boot, heard=counter)
        return True

    def send(self, controls: HandsetInput, t_us: int) -> Frame | None:
        """Return the frame of an input, None without a session."""
        if self._session is None:
            return None
        secret = self._session.challenge
        return self._seal(controls.KIND, self._session, secret, controls.encode(), t_us)

    def screen(self, frame: Frame) -> HandsetScreen | None:
        """Return the screen in a frame, None if the frame is refused."""
        try:
            return HandsetScreen.of(
                self._hear(frame, HandsetScreen.KIND, HandsetScreen.LAYOUT.size, self._session)
            )
        except WireError as error:
            self._refuse(error)
            return None
