"""Draw the visual meshes of Hopkin: `python build_meshes.py [--out FOLDER] [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from looks.head import head_parts  # noqa: E402
from looks.limbs import arm_parts, hand_parts, leg_parts  # noqa: E402
from looks.torso import trunk_parts  # noqa: E402
from meshes import grouped, run  # noqa: E402
from sculpt import Mesh  # noqa: E402


def build() -> dict[str, Mesh]:
    """Return every mesh by the name `body-material`."""
    return grouped(head_parts() + trunk_parts() + arm_parts() + hand_parts() + leg_parts())


if __name__ == "__main__":
    sys.exit(run("Hopkin", HERE, build))
