"""`footlight puppeteer`: takes arrive as a source's datagrams; one line for what is refused."""

import socket
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.__main__ import main
from assets.takes.build import FOLDER
from devices.capture.source import Source
from devices.capture.wire import mvn, recording
from shows.bvh_human import load_bvh, save_bvh
from tests.devices.capture.person import posture

TAKE = str(FOLDER / "wave.bvh")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere.bvh", "--as", "vmc", "--to", "127.0.0.1:9"], "nowhere.bvh: does not exist"),
        ([TAKE, "--as", "recording", "--to", "127.0.0.1:9"], "recording: "),
        (
            ["x", "--as", "recording", "--to", "127.0.0.1:9", "--t-pose", "2"],
            "--t-pose is for a take",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: list[str], reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["puppeteer", *arguments]) == 2
    err = capfd.readouterr().err
    assert reason in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--to", "127.0.0.1"],
        ["--to", "127.0.0.1:0"],
        ["--to", ":39539"],
        ["--to", "127.0.0.1:9", "--loss", "101"],
        ["--to", "127.0.0.1:9", "--rate", "241"],
        ["--to", "127.0.0.1:9", "--loop", "0"],
    ],
)
def test_an_option_out_of_bounds_is_refused(options: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["puppeteer", TAKE, "--as", "vmc", *options])
    assert caught.value.code == 2


def test_a_take_arrives_as_a_sources_frames(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = load_bvh(Path(TAKE)).take
    short = replace(whole, positions=whole.positions[:4], orientations=whole.orientations[:4])
    save_bvh(short, tmp_path / "short.bvh")
    ticks = iter(range(1000))
    source = Source("vmc", "127.0.0.1", 0, lambda: 0.01 * next(ticks))
    source.pair("127.0.0.1")
    to = f"127.0.0.1:{source.address[1]}"
    faults = ["--loss", "0", "--jitter", "5", "--reorder", "0", "--seed", "3", "--rate", "30"]
    file = str(tmp_path / "short.bvh")
    assert main(["puppeteer", file, "--as", "vmc", "--to", to, *faults]) == 0
    frames = source.read()
    source.close()
    assert capfd.readouterr().out == f"8 datagrams sent to {to}\n"
    assert [frame.stamp_s for frame in frames] == pytest.approx(
        [i / 30 for i in range(4)], abs=1e-4
    )
    np.testing.assert_allclose(frames[-1].positions, short.positions[-1], atol=1e-3)


def test_a_recording_is_sent_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = [(0.01 * i, mvn.encode(i, 0.01 * i, *posture(i))[0]) for i in range(5)]
    path = tmp_path / "take.bin"
    path.write_bytes(recording.encode(rows))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(2.0)
        to = f"127.0.0.1:{receiver.getsockname()[1]}"
        assert main(["puppeteer", str(path), "--as", "recording", "--to", to, "--loop", "2"]) == 0
        assert [receiver.recv(9000) for _ in range(10)] == 2 * [data for _, data in rows]
    assert capfd.readouterr().out == f"10 datagrams sent to {to}\n"
