"""The command line: what it accepts, and one line for what it does not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.commands.parser import build_parser
from app.commands.rehearse import _walk_orders
from app.commands.values import DEFAULT_PORT, gestures, number, push, walk
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig, LaunchError, PushOrder, SwayOrder, WalkOrder

ENDPOINT = "tcp/127.0.0.1:7447"


def finite(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high)


@given(finite(-2, 2), finite(-2, 2), finite(-3, 3), finite(0.001, 86400), st.booleans())
def test_a_walk_reads_back(vx: float, vy: float, yaw: float, dur: float, step: bool) -> None:
    text = f"vx={vx!r},vy={vy!r},yaw={yaw!r},dur={dur!r},step={int(step)}"
    order = WalkOrder(**walk(text))
    assert order == WalkOrder(vx, vy, yaw, dur, step)
    config = LaunchConfig(ENDPOINT, walk=(order,))
    assert LaunchConfig.from_json(config.to_json()) == config


@given(finite(0, 86400), finite(0.001, 10), finite(-2000, 2000), finite(0.001, 2000))
def test_a_push_reads_back(t: float, dur: float, fx: float, fz: float) -> None:
    order = PushOrder(**push(f" fx={fx!r} , t={t!r},dur={dur!r},fz={fz!r}"))
    assert order == PushOrder(t, dur, fx, 0.0, fz)
    config = LaunchConfig(ENDPOINT, pushes=(order,))
    assert LaunchConfig.from_json(config.to_json()) == config


@given(st.text(max_size=40))
def test_noise_is_refused_or_finite(text: str) -> None:
    for parse in (walk, push):
        try:
            found = parse(text)
        except Exception as error:
            assert type(error).__name__ == "ArgumentTypeError"
        else:
            numbers = (value for value in found.values() if not isinstance(value, str))
            assert all(math.isfinite(value) for value in numbers)


def test_a_walk_may_be_left_to_its_defaults() -> None:
    assert WalkOrder(**walk("vx=0.16")) == WalkOrder(vx=0.16)
    assert WalkOrder(**walk("gait=run")) == WalkOrder(gait="run")
    assert WalkOrder(**walk("vx=0.2, gait=run,flight=0.05")) == WalkOrder(
        0.2, gait="run", flight=0.05
    )
    assert walk("gait=jump") == {"gait": "jump", "count": 1}
    jumps = walk("gait=jump,count=3,dx=0.05,turn=-0.1,period=0.8,dur=9")
    order = WalkOrder(dur=9.0, gait="jump", count=3, dx=0.05, turn=-0.1, period=0.8)
    assert WalkOrder(**jumps) == order


BAD = [
    (["--source", "vmc:39539@localhost"], "is no source"),
    (["--source", "camera:nowhere.mp4"], "there is no video 'nowhere.mp4'"),
    (["--walk", "vx=nan"], "vx is 'nan', which is not finite"),
    (["--walk", "vx=inf,dur=5"], "vx is 'inf', which is not finite"),
    (["--walk", "vx=1e400"], "which is not finite"),
    (["--walk", "vx=160"], "vx is 160, which is outside -2 to 2"),
    (["--walk", "vx=fast"], "vx is 'fast', which is no number"),
    (["--walk", "vx=0.1,vx=0.2"], "vx is given twice"),
    (["--walk", "speed=0.1"], "'speed=0.1' is not KEY=NUMBER"),
    (["--walk", ""], "is not KEY=NUMBER"),
    (["--walk", "vx=0.1,"], "is not KEY=NUMBER"),
    (["--walk", "dur=0"], "dur is 0, which is outside"),
    (["--walk", "step=0.5"], "step is either 0 or 1"),
    (["--walk", "gait=hop"], "gait is 'hop', which is none of walk, run, jump"),
    (["--walk", "gait=run,gait=walk"], "gait is given twice"),
    (["--walk", "gait=run,vx=nan"], "vx is 'nan', which is not finite"),
    (["--walk", "gait=run,step_s=0.01"], "step_s is 0.01, which is outside"),
    (["--walk", "gait=run,count=2"], "'count=2' is not KEY=NUMBER"),
    (["--walk", "flight=0.1"], "a walk has no flight"),
    (["--walk", "gait=jump,vx=0.1"], "'vx=0.1' is not KEY=NUMBER"),
    (["--walk", "gait=jump,count=2.5"], "count is 2.5, which is no whole number"),
    (["--walk", "gait=jump,count=0"], "count is 0, which is outside 1 to 50"),
    (["--push", "t=1,fx=20"], "a push needs dur="),
    (["--push", "dur=1,fx=20"], "a push needs t="),
    (["--push", "t=1,dur=0.1"], "a push needs a force"),
    (["--push", "t=1,dur=0.1,fx=20000"], "fx is 20000, which is outside"),
    (["--push", "t=-1,dur=0.1,fx=20"], "t is -1, which is outside"),
    (["--sway", "t=5,amplitude=0.05"], "a sway needs frequency="),
    (["--sway", "amplitude=0.05,frequency=0.1"], "a sway needs t="),
    (["--sway", "t=5,amplitude=5,frequency=0.1"], "amplitude is 5, which is outside"),
    (["--sway", "t=5,amplitude=0.05,frequency=nan"], "frequency is 'nan'"),
    (["--sway", "t=5,amplitude=0.05,frequency=0.1,cycles=1.5"], "cycles is 1.5, which is no"),
    (["--sway", "direction=round,t=5"], "direction is 'round', which is none of left"),
    (["--gestures", "Wave"], "'Wave' is no gesture's name"),
    (["--gestures", "wave,,cheer"], "'' is no gesture's name"),
    (["--gestures", "../wave"], "is no gesture's name"),
    (["--pace", "fast"], "invalid choice: 'fast'"),
    (["--seed", "-1"], "the seed is '-1'"),
    (["--seed", "1.5"], "the seed is '1.5'"),
    (["--seed", "9" * 40], "which is no whole number"),
    (["--slope", "nan"], "the slope is 'nan', which is not finite"),
    (["--slope", "90"], "the slope is 90, which is outside -15 to 15"),
    (["--friction", "0"], "the friction is 0, which is outside"),
    (["--payload", "-1"], "the payload is -1, which is outside"),
    (["--stepping", "maybe"], "invalid choice: 'maybe'"),
    (["--body", "real"], "invalid choice: 'real'"),
    (["--hurry"], "unrecognized arguments: --hurry"),
]


@pytest.mark.parametrize(("options", "why"), BAD, ids=[" ".join(o)[:40] for o, _ in BAD])
def test_bad_input_is_one_line_and_exit_status_2(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser().parse_args(["rehearse", *options])
    out, err = capsys.readouterr()
    assert caught.value.code == 2
    assert out == "" and len(err.splitlines()) == 1 and why in err


@pytest.mark.parametrize(
    ("robot", "walk", "why"),
    [
        ("kid_cosmo", "gait=run", "Kid Cosmo refuses gait=run"),
        ("draco3", "gait=run", "DRACO 3 refuses gait=run"),
        ("kid_cosmo", "gait=jump,dx=0.05", "dx: 0.05 m is beyond"),
        ("two_arms", "gait=jump", "does not walk"),
        ("small_biped", "gait=run,vx=2", "vx: 2 m/s is beyond the robot's range of 0.3 m/s"),
        ("small_biped", "gait=run,yaw=-2", "yaw: -2 rad/s is beyond"),
        ("small_biped", "gait=run,flight=0.5", "0.5 s is beyond the robot's longest flight"),
        ("small_biped", "gait=jump,dx=0.4", "dx: 0.4 m is beyond the robot's range of 0.05 m"),
        ("small_biped", "gait=jump,period=0.1", "period: 0.1 s is shorter"),
    ],
)
def test_what_the_robot_cannot_do_is_refused_in_one_line(
    robot: str, walk: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["rehearse", "--headless", "--robot", robot, "--walk", walk]
    options = build_parser().parse_args(command)
    assert options.perform(options) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and why in err


@pytest.mark.parametrize("stands", ["--support=seated", "--stepping=off"])
def test_who_may_not_step_neither_runs_nor_jumps(
    stands: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["rehearse", "--headless", "--robot", "small_biped", "--walk", "gait=jump", stands]
    options = build_parser().parse_args(command)
    assert options.perform(options) == 2
    assert "so it cannot walk; leave out gait" in capsys.readouterr().err


def test_jumps_last_until_the_robot_stands() -> None:
    profile = load_profile("small_biped")
    given = [walk("gait=jump,count=3"), walk("gait=jump,period=0.8"), walk("gait=jump,dur=9")]
    orders, reason = _walk_orders(given, profile)
    assert not reason and [order.dur for order in orders] == pytest.approx([4.5, 2.3, 9.0])


@pytest.mark.parametrize(
    ("option", "bounds", "field"),
    [
        ("--slope", ("-15", "15"), "slope"),
        ("--friction", ("0.01", "3"), "friction"),
        ("--payload", ("0", "5"), "payload_kg"),
        ("--seed", ("0", str(2**53)), "seed"),
        ("--source", ("vmc", "natnet:1511@255.255.255.255", "camera", "camera:12"), "source"),
    ],
)
def test_what_the_command_accepts_the_core_accepts(
    option: str, bounds: tuple[str, str], field: str
) -> None:
    for bound in bounds:
        options = build_parser().parse_args(["rehearse", option, bound])
        value = getattr(options, option.removeprefix("--"))
        config = LaunchConfig(ENDPOINT, **{field: value})
        assert LaunchConfig.from_json(config.to_json()) == config


def test_options_may_be_repeated() -> None:
    options = build_parser().parse_args(
        ["rehearse", "--walk", "vx=0.1", "--walk", "vx=-0.1", "--gestures", "wave,thumbs_up"]
        + ["--push", "t=6,dur=0.1,fx=40", "--push", "t=9,dur=0.1,fy=-40"]
    )
    assert [order["vx"] for order in options.walk] == [0.1, -0.1]
    assert [order["t"] for order in options.push] == [6.0, 9.0]
    assert options.gestures == ("wave", "thumbs_up")
    text = "direction=up,t=5,amplitude=0.05,frequency=0.1"
    options = build_parser().parse_args(["rehearse", "--sway", text, "--sway", f"{text},cycles=2"])
    orders = [SwayOrder(**order) for order in options.sway]
    assert [(order.direction, order.cycles) for order in orders] == [("up", 0), ("up", 2)]


@pytest.mark.parametrize("command", ["partner", ""])
def test_what_is_not_built_is_absent(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser().parse_args([command])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "address",
    ["tcp/127.0.0.1:7447", "tcp/127.0.0.1:1", "unixsock-stream//run/core", "tcp/8.8.8.8:7447"]
    + ["", "tcp/127.0.0.1", "tcp/127.0.0.1:123456", "udp/127.0.0.1:7447"],
)
def test_a_console_connects_where_a_core_may_listen_and_nowhere_else(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        LaunchConfig.from_json(LaunchConfig(address).to_json())
    except LaunchError:
        with pytest.raises(SystemExit) as caught:
            build_parser().parse_args(["console", "--connect", address])
        assert caught.value.code == 2
        assert "is no address on this machine" in capsys.readouterr().err
    else:
        assert build_parser().parse_args(["console", "--connect", address]).connect == address


def test_a_console_looks_where_a_core_listens() -> None:
    options = build_parser().parse_args(["console", "my_show"])
    assert (options.connect, str(options.show)) == (f"tcp/127.0.0.1:{DEFAULT_PORT}", "my_show")


def test_a_number_is_a_number() -> None:
    assert number(" 1e-1 ", "x", 0.0, 1.0) == 0.1
    assert gestures("wave") == ("wave",)
