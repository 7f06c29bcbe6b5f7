"""What every scanner of frames is put through."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from devices.wire.scanner import Scanner

MOST_KEPT = 300  # bytes a scanner may remember, whatever it was fed


@st.composite
def chunks(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """Cut bytes anywhere, as reads of a port do."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def feed(scanner: Scanner, pieces: Sequence[bytes]) -> list[bytes]:
    found = []
    for piece in pieces:
        found += scanner.feed(piece)
    return found


def deceptive(header: bytes) -> st.SearchStrategy[bytes]:
    """Noise that is full of what looks like a frame's beginning."""
    piece = st.one_of(
        st.binary(max_size=8), st.just(header), st.just(header[:1]), st.binary(max_size=90)
    )
    return st.lists(piece, max_size=6).map(b"".join)


def accounts_for(scanner: Scanner, fed: bytes, found: Sequence[bytes]) -> bool:
    """Tell whether each byte is in a frame, dropped, or waits for its frame's rest."""
    waiting = len(fed) - scanner.dropped - sum(map(len, found))
    return scanner.good == len(found) and 0 <= waiting < MOST_KEPT


def lost_after_noise(
    make: Callable[[], Scanner], noises: Sequence[bytes], frames: Sequence[bytes]
) -> list[int]:
    """Return how many of the good frames behind each noise were not found by the last's end."""
    losses = []
    for noise in noises:
        scanner = make()
        found = feed(scanner, [frames[0], noise])
        found = feed(scanner, frames)
        losses.append(len(frames) - sum(frame in found for frame in frames))
    return losses
