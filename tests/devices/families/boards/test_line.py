"""Boards on one line: what can go wrong with them, then what is sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devices.families.boards.wire.hand import HandCommand, HandMode, MotorTarget
from devices.families.boards.wire.identity import Board, Identity, Start
from devices.families.boards.wire.layout import Kind
from devices.interface import Trouble
from devices.real.port import CHUNK
from devices.wire import cobs
from devices.wire.checksums import crc16
from devices.wire.errors import WireError
from devices.wire.frame import Frame
from tests.devices.families.boards.far_board import FarBoard, Rig
from tests.devices.families.boards.wire.examples import EXAMPLES
from tests.draws import share

CONTACTS = EXAMPLES["Contacts"]
SILENT = "silent; check its plug and its supply"


class Keeper:
    """Keeps what it is given."""

    board = Board.CONTACTS
    silent_s = 0.1
    grave = True

    def __init__(self, source: int) -> None:
        self.device = f"board {source:#x}"
        self.source = source
        self.taken: list[Frame] = []
        self.forgotten = 0
        self.refuses = False

    def take(self, frame: Frame, arrival_s: float) -> None:
        if self.refuses:
            raise WireError("a reserved byte is 7")
        self.taken.append(frame)

    def forget(self) -> None:
        self.forgotten += 1

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        return (Trouble(self.device, "its own"),) if self.forgotten > 100 else ()


class Pair:
    """Two boards on one line."""

    def __init__(self, folder: Path) -> None:
        self.keepers = [Keeper(0x60), Keeper(0x61)]
        self.boards = [FarBoard(0x60, Board.CONTACTS), FarBoard(0x61, Board.CONTACTS)]
        self.rig = Rig(folder, self.keepers)
        self.told = 0

    def run(self, seconds: float, silent: tuple[int, ...] = (), mute: tuple[int, ...] = ()) -> None:
        """Let the boards speak every 10 ms; some are silent, some only do not say who they are."""
        rig = self.rig
        for _ in range(round(100 * seconds)):
            data = b""
            for i, board in enumerate(self.boards):
                if i in silent:
                    continue
                if self.told % 50 == 0 and i not in mute:
                    data += board.plate(rig.now_s)
                data += board.says(CONTACTS, rig.now_s)
            self.told += 1
            rig.tick(data, 0.01)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.rig.close()


def test_a_board_that_never_sends_is_reported_alone(pair: Pair) -> None:
    pair.run(0.05, silent=(1,))
    assert pair.rig.texts() == []  # it may still come
    pair.run(0.2, silent=(1,))
    assert pair.rig.texts() == [f"board 0x61: {SILENT}"]
    assert pair.rig.line.troubles(pair.rig.now_s)[0].grave
    pair.run(0.1)
    assert pair.rig.texts() == []


def test_an_unplugged_line_is_reported_once_and_resets_its_boards_at_both_ends(pair: Pair) -> None:
    pair.run(0.2)
    before = [keeper.forgotten for keeper in pair.keepers]
    pair.rig.wire.unplug()
    pair.run(0.5)
    (text,) = pair.rig.texts()
    assert "unplugged" in text
    assert [keeper.forgotten for keeper in pair.keepers] == [count + 1 for count in before]
    pair.rig.wire.plug()
    pair.run(0.5)
    assert pair.rig.texts() == []
    assert [keeper.forgotten for keeper in pair.keepers] == [count + 2 for count in before]


def test_a_restart_shows_by_the_sequence(pair: Pair) -> None:
    pair.boards[0].sequence = 1000
    pair.run(0.2)
    before = [keeper.forgotten for keeper in pair.keepers]
    pair.boards[0].restart(pair.rig.now_s)
    pair.run(0.02)
    assert [keeper.forgotten for keeper in pair.keepers] == [before[0] + 1, before[1]]


def test_a_restart_that_the_sequence_hides_shows_by_the_identity(pair: Pair) -> None:
    pair.boards[0].sequence = 0xF000  # to 0 is a step forward
    pair.run(0.2)
    before = pair.keepers[0].forgotten
    pair.boards[0].restart(pair.rig.now_s, Start.WATCHDOG)
    pair.told = 0
    pair.run(0.02)
    assert pair.keepers[0].forgotten == before + 1
    assert any("its program hung" in text for text in pair.rig.texts())
    pair.run(12.0)
    assert pair.rig.texts() == []


def test_a_board_without_identity_is_reported(pair: Pair) -> None:
    pair.run(2.9, mute=(0,))
    assert pair.rig.texts() == []
    pair.run(0.3, mute=(0,))
    assert pair.rig.texts() == [
        "board 0x60: does not send its identity; install the right firmware"
    ]


@pytest.mark.parametrize(
    ("board", "protocol", "words"),
    [
        (Board.HAND, 1, "is a hand board, not a contact board"),
        (Board.CONTACTS, 2, "uses version 2 of the boards' protocols, not 1"),
    ],
)
def test_nothing_of_a_foreign_board_is_taken(
    pair: Pair, board: Board, protocol: int, words: str
) -> None:
    pair.boards[0].board, pair.boards[0].protocol = board, protocol
    pair.run(1.0)
    (text,) = pair.rig.texts()
    assert words in text
    assert pair.keepers[0].taken == []
    assert len(pair.keepers[1].taken) == 100


def test_another_version_of_the_frame_is_reported(pair: Pair) -> None:
    body = b"\x09" + Frame(Kind.CONTACTS, 0x60, 1, 1, CONTACTS.encode()).body()[1:-2]
    stuffed = cobs.encode(body + crc16(body).to_bytes(2, "little"))
    for _ in range(30):
        pair.rig.tick(b"\0" + stuffed + b"\0", 0.01)
        pair.run(0.01, silent=(0,))
    (text,) = pair.rig.texts()
    assert text == (
        "board 0x60: uses version 9 of the boards' frame, not 1; install the right firmware"
    )


def test_refused_messages_are_reported_with_their_reason(pair: Pair) -> None:
    pair.keepers[0].refuses = True
    pair.run(0.5)
    (text,) = pair.rig.texts()
    assert "sends invalid messages (a reserved byte is 7)" in text
    pair.keepers[0].refuses = False
    pair.run(0.1)
    assert pair.rig.texts() == []


def test_lost_frames_are_counted_by_their_sequence(pair: Pair) -> None:
    for count in range(300):
        pair.boards[0].sequence += count % 10 == 0
        pair.run(0.01)
    (text,) = pair.rig.texts()
    assert text == "board 0x60: 9 % of its frames are lost; check its cable, shield and termination"


def test_two_boards_with_one_number_are_reported(pair: Pair) -> None:
    twin = FarBoard(0x60, Board.CONTACTS, serial=2)
    twin.sequence = 30_000
    for _ in range(20):
        pair.run(0.01)
        pair.rig.tick(twin.says(CONTACTS, pair.rig.now_s), 0.0)
    assert pair.rig.texts() == ["board 0x60: two boards have the number 0x60; renumber one of them"]


def test_frames_of_unknown_sources_are_counted(pair: Pair) -> None:
    stranger = FarBoard(0x6F, Board.CONTACTS)
    pair.rig.tick(stranger.says(CONTACTS, pair.rig.now_s))
    assert pair.rig.line.strangers == 1
    assert not any(keeper.taken for keeper in pair.keepers)


def test_a_repeated_frame_is_taken_once(pair: Pair) -> None:
    frame = pair.boards[0].says(CONTACTS, pair.rig.now_s)
    pair.rig.tick(frame + frame + frame)
    assert len(pair.keepers[0].taken) == 1


def test_a_backlog_longer_than_one_read_is_taken_whole(pair: Pair) -> None:
    data = b"".join(pair.boards[0].says(CONTACTS, pair.rig.now_s) for _ in range(150))
    pair.rig.tick(data[:3000])
    pair.rig.tick(data[3000:])
    assert len(pair.keepers[0].taken) == 150


def test_a_line_that_never_runs_dry_does_not_take_the_tick(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    flood = iter([bytes(CHUNK)] * 20)
    monkeypatch.setattr(pair.rig.wire.port, "read", lambda now_s: next(flood))
    pair.rig.tick()
    pair.rig.tick()


def test_commands_name_their_board_and_are_numbered_for_each(pair: Pair) -> None:
    command = HandCommand(HandMode.OFF, 100, (MotorTarget(0.0, 1.0, 0.0),))
    for _ in range(2):
        assert pair.rig.line.send(0x60, command, pair.rig.now_s)
        assert pair.rig.line.send(0x61, command, pair.rig.now_s)
    frames = pair.rig.sent()
    assert [(frame.source, frame.sequence) for frame in frames] == [
        (0xE0, 0),
        (0xE1, 0),
        (0xE0, 1),
        (0xE1, 1),
    ]
    assert {frame.t_us for frame in frames} == {round(1e6 * pair.rig.now_s) & 0xFFFFFFFF}
    pair.rig.wire.unplug()
    pair.rig.tick()
    assert not pair.rig.line.send(0x60, command, pair.rig.now_s)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=share(60))
@given(st.lists(st.binary(min_size=1, max_size=400), max_size=8))
def test_no_noise_raises_or_hides_the_boards(
    tmp_path_factory: pytest.TempPathFactory, noise: list[bytes]
) -> None:
    pair = Pair(tmp_path_factory.mktemp("noise"))
    try:
        for piece in noise:
            pair.rig.tick(piece)
        taken = len(pair.keepers[0].taken)
        pair.run(0.1)
        assert len(pair.keepers[0].taken) >= taken + 9
    finally:
        pair.rig.close()


identities = st.builds(
    Identity,
    st.sampled_from(Board),
    st.sampled_from(Start),
    st.integers(0, 255),
    st.tuples(*[st.integers(0, 255)] * 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 5),
)


@settings(max_examples=share(60))
@given(st.lists(identities, min_size=1, max_size=20))
def test_whatever_a_board_says_it_is_only_the_right_one_is_believed(
    tmp_path_factory: pytest.TempPathFactory, said: list[Identity]
) -> None:
    pair = Pair(tmp_path_factory.mktemp("identity"))
    keeper, board = pair.keepers[0], pair.boards[0]
    try:
        for identity in said:
            before = len(keeper.taken)
            pair.rig.tick(board.says(identity, pair.rig.now_s))
            pair.rig.tick(board.says(CONTACTS, pair.rig.now_s))
            right = identity.board is Board.CONTACTS and identity.protocol == 1
            assert (len(keeper.taken) > before) is right
    finally:
        pair.rig.close()
