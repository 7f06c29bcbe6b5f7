"""Make the takes from their keys: `python -m assets.takes.build [FOLDER]`.

It writes the BVH files of assets/takes byte for byte; edit the keys, not the files.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from assets.takes.scenes import takes
from shows.bvh import Bvh, BvhJoint, encode_bvh
from shows.bvh_human import bvh_of
from shows.files import write_atomically
from shows.human import HumanTake

FOLDER = Path(__file__).resolve().parent


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
    return encode_bvh(Bvh(tuple(joints), whole.frame_s, frames))


def main() -> int:
    """Write the takes and print the duration of each."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for take in takes():
        data = bvh_bytes(take)
        write_atomically(folder / f"{take.name}.bvh", data)
        print(f"{take.name:16} {take.duration_s:5.2f} s {len(data) / 1000:6.1f} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
