"""Make the takes from their keys: `python -m assets.takes.build [FOLDER]`.

It writes the BVH files of assets/takes, and without FOLDER those of the show "Duel", byte for byte;
edit the keys, not the files.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from assets.takes import duel
from assets.takes.scenes import takes
from shows.bvh import Bvh, BvhJoint, encode_bvh
from shows.bvh_human import bvh_of
from shows.files import write_atomically
from shows.human import HumanTake

FOLDER = Path(__file__).resolve().parent
_ZEROS = re.compile(rb"\.?0+(?=\s)")  # at the end of a number with decimals


def bvh_bytes(take: HumanTake) -> bytes:
    """Return a take's file, in which only the hips have positions: the bones keep their lengths."""
    whole = bvh_of(take)
    joints: list[BvhJoint] = []
    columns: list[int] = []
    for joint in whole.joints:
        kept = [
            (channel, joint.first + i)
            for i, channel in enumerate(joint.channels)
            if joint.parent < 0 or channel.kind == "rotation"
        ]
        joints.append(
            replace(joint, channels=tuple(channel for channel, _ in kept), first=len(columns))
        )
        columns += [column for _, column in kept]
    frames = whole.frames[:, columns].round(2) + 0.0
    text = encode_bvh(Bvh(tuple(joints), whole.frame_s, frames))
    head, line, rows = text.partition(b"Frame Time:")
    return head + line + _ZEROS.sub(b"", rows)


def main() -> int:
    """Write the takes and print the duration of each."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    made = [(folder / f"{take.name}.bvh", take) for take in takes()]
    if folder == FOLDER:
        made += duel.takes()
    for path, take in made:
        data = bvh_bytes(take)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
        print(f"{take.name:16} {take.duration_s:5.2f} s {len(data) / 1000:6.1f} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
