"""A mannequin whose joints are known performs before a camera: how far off is what is seen?"""

import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from assets.takes import scenes
from core.partner.calibration import HOLD_S, Calibration, calibrated
from devices.capture.camera import PACKAGES, CameraSource
from devices.capture.puppet import Performance, with_t_pose
from devices.interface import Floats, PoseFrame
from shows.human import INDEX
from tests.devices.capture.film import RATE_HZ, film
from tests.tracked import REPOSITORY

T_POSE_S, LEAD_S = 3.0, 1.0  # of the mannequin's performance
ARMS = {"upper_arm": ("lower_arm", 25.0), "lower_arm": ("hand", 45.0)}  # largest median error [deg]


def way(positions: Floats, bone: str, end: str) -> Floats:
    """Return the directions of a bone (k, 3)."""
    along: Floats = positions[:, INDEX[end]] - positions[:, INDEX[bone]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return along


@pytest.mark.long
@pytest.mark.skipif(any(find_spec(name) is None for name in PACKAGES), reason="no camera")
def test_arms_are_seen_as_well_as_the_manual_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = REPOSITORY / "assets" / "pictures" / "mannequin.py"
    subprocess.run((sys.executable, str(script), "wave", str(tmp_path)), check=True)
    names = sorted(path.stem for path in tmp_path.glob("*.jpg"))
    path = film(tmp_path, [(name, 1.0 / RATE_HZ) for name in names], tmp_path)
    paths = (str(REPOSITORY), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    source, seen = CameraSource(str(path), time.monotonic), list[PoseFrame]()
    while not source.trouble:
        seen += source.read()
        time.sleep(0.002)
    seen += source.read()
    source.close()
    assert source.refused == {}
    begin_s, take = seen[0].stamp_s, scenes.wave()
    performance = with_t_pose(
        Performance(take.rate_hz, take.positions, take.orientations), T_POSE_S
    )
    held = [frame for frame in seen if 0.8 <= frame.stamp_s - begin_s <= 0.9 + HOLD_S]
    calibration = calibrated(held, 1.0)
    assert isinstance(calibration, Calibration), calibration
    acting = [frame for frame in seen if frame.stamp_s - begin_s > T_POSE_S + LEAD_S]
    found = np.array([calibration.applied(frame).positions for frame in acting])
    truth = np.array([performance.at(frame.stamp_s - begin_s)[0] for frame in acting])
    for side in ("left", "right"):
        for part, (end, most_deg) in ARMS.items():
            bone, tip = f"{side}_{part}", f"{side}_{end}"
            cosines = (way(found, bone, tip) * way(truth, bone, tip)).sum(axis=1)
            errors_deg = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
            median_deg = float(np.median(errors_deg))
            print(f"{bone}: {median_deg:.0f}°, p95 {np.percentile(errors_deg, 95):.0f}°")
            assert median_deg < most_deg
