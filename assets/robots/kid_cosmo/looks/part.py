"""What the drawing of every part shares."""

from __future__ import annotations

from sculpt import Vector

FORWARD: Vector = (1.0, 0.0, 0.0)
LEFT: Vector = (0.0, 1.0, 0.0)
