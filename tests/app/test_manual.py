"""The operator's manual says what the program does: its tables are compared with the code."""

import re
import textwrap
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from app.commands.export_motion import DATA, PICTURES
from app.commands.parser import build_parser
from app.commands.values import DEFAULT_PORT
from app.console.cues.cells import COLUMNS
from app.console.exchange.formats import FORMATS
from app.console.help.manual import slug
from app.console.motions.key_bar import RULES as RULES_OF_TANGENTS
from app.console.motions.key_keys import KEYS
from app.console.motions.words import FIELDS as FIELDS_OF_STEPS
from app.console.motions.words import TITLES as TITLES_OF_STEPS
from app.console.preferences.sheet import WORDS
from app.console.stage.camera_bar import TITLES
from app.console.stop.controls import CANCEL, HOLD, SETTLE, STOP
from core.behave.reference import MotionState
from core.handset.hands import LONG_S, STUCK_S
from core.lab.bench.run import PARTS
from core.lab.evaluate import EXPERIMENTS
from core.link import wording
from core.link.handset import WORDS as USES
from core.record.export import arrays
from core.record.reader import read
from core.record.schema import FIELDS, LATER_FIELDS, TRUTH_FIELDS, Field
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from core.robot.thresholds import HealthSettings
from core.safety.flags import Flag
from core.safety.modes import Mode
from core.safety.rules import RULES
from core.service.doctor.finding import State
from core.service.doctor.machine import NOTED_HOURS, RECORD_BYTES_PER_HOUR
from core.service.doctor.robot import OLD_DAYS, POOR_QUALITY, VOLTS_APART, WARM_C
from core.stage.flatten import QUICK_BLEND_S
from shows import document
from shows.bvh import MAX_BVH_BYTES, MAX_FRAMES, MAX_JOINTS
from shows.csv_motion import MAX_COLUMNS, MAX_CSV_BYTES, MAX_VALUES
from shows.fields import MAX_MOTION_S
from shows.folders import GESTURES
from shows.joints import JointTable
from shows.motion import MAX_MOTION_BYTES, load_motion
from shows.storage import load_show
from shows.take import MAX_TAKE_S
from tests.core.record.records import write
from tests.shows.examples import write_wav
from tests.shows.people import STYLES
from tests.tracked import REPOSITORY

MANUAL = REPOSITORY / "app" / "manual"
PAGES = (
    "index",
    "rehearsing",
    "console",
    "running_a_show",
    "stopping",
    "gestures_panel",
    "by_hand",
    "partner",
    "handset",
    "stage_view",
    "telemetry",
    "runs",
    "timeline",
    "recording",
    "curves",
    "exchange",
    "poses",
    "files",
    "shows",
    "motions",
    "robot",
    "another_humanoid",
    "log",
    "evaluating",
    "inertia",
    "bench",
    "doctor",
    "glossary",
)
MOST_BYTES = 1_500_000  # of all pictures
Rows = list[tuple[str, ...]]


def page(name: str) -> str:
    return (MANUAL / f"{name}.md").read_text(encoding="utf-8")


def tables(name: str) -> list[Rows]:
    """Return each table of a page as its rows, the head first; code marks are dropped."""
    found: list[Rows] = []
    before = ""
    for line in page(name).splitlines():
        if line.startswith("|"):
            cells = tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|"))
            if not before.startswith("|"):
                found.append([])
            if set("".join(cells)) > {"-"} or not line.startswith("|---"):
                found[-1].append(cells)
        before = line
    return found


def body(name: str, *head: str) -> Rows:
    """Return the rows below the one table of a page that has this head."""
    (rows,) = [table[1:] for table in tables(name) if table[0] == head]
    return rows


def joints() -> JointTable:
    return joint_table(load_profile("kid_cosmo"))


def test_the_manual_has_its_pages_and_the_index_names_them() -> None:
    assert sorted(path.stem for path in MANUAL.glob("*.md")) == sorted(PAGES)
    for name in PAGES[1:]:
        assert f"({name}.md)" in page("index")


def test_every_picture_of_a_page_is_there_and_none_lies_about() -> None:
    named = {
        MANUAL / path for name in PAGES for path in re.findall(r"!\[.*?\]\((.*?)\)", page(name))
    }
    assert named == set((MANUAL / "pictures").glob("*"))
    assert sum(path.stat().st_size for path in named) < MOST_BYTES


def test_links_of_the_pages_lead_somewhere() -> None:
    for name in PAGES:
        for target, heading in re.findall(r"\]\(([a-z_]+)\.md(?:#([a-z-]+))?\)", page(name)):
            headings = re.findall(r"^#+ (.*)$", page(target), re.MULTILINE)
            assert not heading or heading in {slug(text) for text in headings}, f"{name}: {heading}"


def test_the_fault_table_is_the_rules() -> None:
    told = body("robot", "flag", "action", "after [s]", "ends", "the operator reads", "what to do")
    assert told == [
        (
            rule.flag.name,
            rule.action.name,
            f"{rule.after_s:g}",
            rule.clears.value,
            wording.sentence(rule.fault),
            wording.advice(rule.fault),
        )
        for rule in RULES
    ]


def test_the_handset_is_told_as_it_is() -> None:
    uses = [use for use, _ in body("handset", "a button may be", "does")]
    improvised = ("» a gesture", "♪ a phrase", "a trigger of the show", "a pose of a hand, or both")
    assert uses == [*USES.values(), *improvised, "idle life, idle life on, off"]
    silence = [after for after, _ in body("handset", "after", "the robot")]
    limit_s = HealthSettings().link_silent_s
    after_s = [r.after_s for r in RULES if r.flag is Flag.HANDSET_SILENT and r.after_s]
    assert silence[0].startswith(f"{limit_s:g} s")
    assert silence[1:] == [f"{limit_s + later_s:g} s" for later_s in after_s]
    text = page("handset")
    assert f"press of {LONG_S:g} s" in text and f"at all for {STUCK_S:g} s" in text


def test_every_flag_is_told_with_the_limits_that_raise_it() -> None:
    told = {name: when for name, when in body("robot", "flag", "raised when")}
    assert list(told) == [flag.name for flag in Flag]
    profile = load_profile("kid_cosmo")
    s, b = profile.health, profile.battery
    assert b is not None
    limits = {
        "FALLEN": (f"{s.fall_tilt_rad:g} rad", f"{s.fall_height_m:g} m"),
        "QP_FAILED": (f"{1e3 * s.solver_patience_s:g} ms",),
        "IMU_LATE": (f"{1e3 * s.imu_late_s:g} ms",),
        "IMU_LOST": (f"{1e3 * s.imu_lost_s:g} ms",),
        "JOINT_SILENT": (f"{1e3 * s.joint_silent_s:g} ms",),
        "LEG_SILENT": (f"{1e3 * s.leg_silent_s:g} ms",),
        "MINOR_JOINT_SILENT": (f"{1e3 * s.joint_silent_s:g} ms",),
        "WINDING_WARM": (f"{s.winding_limit_c - s.warm_below_c:g} °C", f"{s.least_torque:.0%}"),
        "LEG_WARM": (
            f"{s.winding_limit_c - s.leg_warm_below_c:g} °C",
            f"{s.winding_limit_c - s.warm_below_c:g} °C",
        ),
        "WINDING_HOT": (f"{s.winding_limit_c - s.hot_below_c:g} °C",),
        "WINDING_OVERHEATED": (f"{s.winding_limit_c:g} °C",),
        "BATTERY_LOW": (f"{b.low_v:g} V", f"{b.low_charge:.0%}"),
        "BATTERY_CRITICAL": (f"{b.critical_v:g} V", f"{b.critical_charge:.0%}"),
        "BATTERY_FLAT": (f"{b.flat_v:g} V",),
        "TICK_LATE": (f"{1e3 * s.tick_late_s:g} ms", f"{s.least_success:.0%}"),
        "TICK_STALLED": (f"{1e3 * s.tick_stalled_s:g} ms",),
        "OPERATOR_SILENT": (f"{1e3 * s.link_silent_s:g} ms",),
        "HANDSET_SILENT": (f"{1e3 * s.link_silent_s:g} ms",),
    }
    for name, parts in limits.items():
        text = told[name].replace(" %", "%")
        assert all(part in text for part in parts), f"{name}: {told[name]} lacks one of {parts}"


def test_modes_and_motion_states_have_their_numbers() -> None:
    assert [row[:2] for row in body("robot", "mode", "number", "means")] == [
        (mode.name, str(mode.value)) for mode in Mode
    ]
    assert [row[:2] for row in body("motions", "state", "number", "means")] == [
        (state.name, str(state.value)) for state in MotionState
    ]


def told_of(field: Field) -> tuple[str, ...]:
    extents = ["n", *(str(extent) for extent in field.shape)]
    return field.name, f"({', '.join(extents)})", field.unit, field.kind, field.meaning


def test_the_arrays_of_the_log_are_those_of_its_schema() -> None:
    head = ("array", "shape", "unit", "type", "means")
    measured, true = (table[1:] for table in tables("log") if table[0] == head)
    assert measured == [told_of(field) for field in FIELDS + LATER_FIELDS]
    assert true == [told_of(field) for field in TRUTH_FIELDS]


def test_the_export_adds_what_the_manual_says(tmp_path: Path) -> None:
    exported = arrays(read(write(tmp_path / "run.mcap", ticks=100, person=True)))
    ticks = {field.name for field in (*FIELDS, *LATER_FIELDS, *TRUTH_FIELDS)}
    assert {row[0] for row in body("log", "array", "shape", "means")} == set(exported) - ticks


KINDS: tuple[Any, ...] = (
    document.Show,
    document.Settings,
    document.Cue,
    document.Trigger,
    document.GestureClip,
    document.HeadClip,
    document.HandClip,
    document.BodyClip,
    document.SwayClip,
    document.WalkClip,
    document.JumpClip,
    document.MarkClip,
    document.LiveClip,
    document.VoiceClip,
    document.LightClip,
)


def tables_of_fields() -> list[Rows]:
    return [table[1:] for table in tables("shows") if table[0][0] == "field"]


def test_every_field_of_a_show_is_told() -> None:
    assert document.LightClip.__struct_fields__ == document.NetworkClip.__struct_fields__
    told = [tuple(row[0] for row in table) for table in tables_of_fields()]
    assert told == [kind.__struct_fields__ for kind in KINDS]


def test_the_example_of_a_show_is_a_show(tmp_path: Path) -> None:
    texts = re.findall(r"^    \{\n(?:    .*\n)+?    \}$", page("shows"), re.MULTILINE)
    show, pose = map(textwrap.dedent, texts)
    (tmp_path / "show.json").write_text(show)
    (tmp_path / "poses").mkdir()
    (tmp_path / "poses" / "hero.json").write_text(pose)
    (tmp_path / "audio").mkdir()
    write_wav(tmp_path / "audio" / "hello.wav")
    loaded = load_show(tmp_path, joints())
    kinds = {track.kind for cue in loaded.show.cues for track in cue.tracks}
    assert kinds == {"gesture", "voice", "walk", "head"}
    assert loaded.warnings == () and set(loaded.poses) == {"hero"}


def test_defaults_of_a_show_are_told() -> None:
    for kind, table in zip(KINDS, tables_of_fields(), strict=True):
        defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
        for name, _, told, _ in table:
            default = defaults[name]
            if default is msgspec.NODEFAULT:
                continue  # required, or made anew for each show
            if isinstance(default, (bool, str)):
                assert told == str(default).lower(), f"{kind.__name__}.{name}"
            elif isinstance(default, (int, float)):
                assert told == f"{default:g}", f"{kind.__name__}.{name}"
    settings = {row[0]: row[2] for row in tables_of_fields()[1]}
    bounds = document.WalkBounds()
    numbers = (bounds.forward, bounds.backward, bounds.sideways, bounds.turning)
    assert settings["walk"] == ", ".join(f"{number:g}" for number in numbers)
    gesture = {row[0]: row[2] for row in tables_of_fields()[4]}
    assert gesture["blend_in_s"] == f"{QUICK_BLEND_S:g}"


def test_joints_and_their_limits_are_the_robots() -> None:
    table = joints()
    told = [row for rows in tables("motions") if rows[0][0] == "joint" for row in rows[1:]]
    assert told == [
        (
            name,
            table.limb_of[name],
            f"{np.degrees(table.lower[i]):.0f}",
            f"{np.degrees(table.upper[i]):.0f}",
            f"{table.velocity_limit[i]:.1f}",
            f"{table.acceleration[i]:.0f}",
        )
        for i, name in enumerate(table.names[: table.joint_count])
        if name in table.limb_of
    ]
    rows = (row for rows in tables("motions") if rows[0][0] == "coordinate" for row in rows[1:])
    limits = table.lower, table.upper, table.velocity_limit, table.acceleration
    for i, (name, _, *numbers) in enumerate(rows, table.joint_count):
        assert (name, [*map(float, numbers)]) == (table.names[i], [float(x[i]) for x in limits])
    assert i == len(table.names) - 1


def test_hand_poses_are_those_of_the_robot() -> None:
    roles = ("wrist", "thumb", "index", "middle", "ring")
    told = body("motions", "pose", *roles)
    poses = {name: dict(zip(roles, map(float, angles), strict=True)) for name, *angles in told}
    assert poses == joints().hand_poses


def test_the_gestures_are_those_of_the_library() -> None:
    table = joints()
    library = [load_motion(path, table) for path in sorted(GESTURES.glob("*.json"))]
    assert body("motions", "gesture", "length [s]", "tags") == [
        (motion.name, f"{motion.duration_s:.2f}", ", ".join(motion.tags)) for motion in library
    ]


def test_the_experiments_are_those_that_there_are() -> None:
    told = body("evaluating", "experiment", "what it is", "seeds at most", "true state")
    assert told == [
        (name, one.title, str(one.most_seeds or ""), "yes" if one.beside else "no")
        for name, one in EXPERIMENTS.items()
    ]
    text = page("evaluating")
    for name in EXPERIMENTS:
        assert f"**{name.split('/')[0]}.**" in text


def options_of(command: str) -> set[str]:
    parser = build_parser()
    (commands,) = [action for action in parser._actions if action.dest == "command"]
    assert commands.choices is not None
    return set(commands.choices[command]._option_string_actions) - {"-h", "--help"}  # type: ignore[index]


def test_every_option_of_an_evaluation_is_told() -> None:
    told = {row[0].split()[0] for row in body("evaluating", "option", "range", "means")}
    assert told == {"NAME", *options_of("evaluate")}


def test_every_option_of_a_comparison_of_inertias_is_told() -> None:
    told = {row[0].split()[0] for row in body("inertia", "option", "default", "means")}
    assert told == {"ROBOT", *options_of("inertia")}


@pytest.mark.parametrize("command", ["rehearse", "core"])
def test_every_option_is_told(command: str) -> None:
    options = options_of(command)
    text = page("rehearsing")
    assert not {option for option in options if f"`{option}" not in text}
    told = {row[0].split()[0] for rows in tables("rehearsing") for row in rows}
    named = {word for word in told if re.fullmatch(r"--[a-z]+", word)}
    assert command == "core" or named == options


@pytest.mark.parametrize(
    ("command", "places"), [("import", {"FILE"}), ("export", {"MOTION", "OUT"})]
)
def test_every_option_of_an_exchange_is_told(command: str, places: set[str]) -> None:
    told = body("exchange", f"option of footlight {command}", "default", "means")
    assert {row[0].split()[0] for row in told} == places | options_of(command)


def test_every_option_of_adapting_is_told() -> None:
    told = body("another_humanoid", "option of footlight adapt", "default", "means")
    assert {row[0].split()[0] for row in told} == {"GESTURE", *options_of("adapt")}


def test_the_formats_and_limits_of_an_exchange_are_told() -> None:
    told = {row[0] for row in body("exchange", "file", "for", "contains")}
    assert told == {form.suffix for form in FORMATS} == {*DATA, *PICTURES}
    limits = {row[0]: row[1] for row in body("exchange", "file", "largest size", "and")}
    sizes = {"BVH": MAX_BVH_BYTES, "CSV": MAX_CSV_BYTES, "JSON": MAX_MOTION_BYTES}
    assert limits == {name: f"{size // 2**20} MiB" for name, size in sizes.items()}
    text = " ".join(page("exchange").split())
    assert f"{MAX_FRAMES:,} frames".replace(",", " ") in text and f"{MAX_JOINTS} joints" in text
    assert f"{MAX_VALUES:,} values".replace(",", " ") in text and f"{MAX_COLUMNS} columns" in text
    assert f"lasts {MAX_MOTION_S:g} s at most" in text
    assert f"A take lasts {MAX_TAKE_S:g} s at most" in " ".join(page("recording").split())
    titles = {"CMU": "CMU's database"}
    assert ", ".join(titles.get(style.title, style.title) for style in STYLES) in text


def test_every_step_and_its_parameters_are_told() -> None:
    told = [(row[0], row[2]) for row in body("curves", "step", "does", "parameters")]
    assert told == [
        (TITLES_OF_STEPS[kind], "; ".join(f"{field.label}: {field.words}" for field in fields))
        for kind, fields in FIELDS_OF_STEPS.items()
    ]


def test_every_key_of_the_curves_and_every_tangent_is_told() -> None:
    assert body("curves", "key", "does") == list(KEYS.items())
    told = [row[0] for row in body("curves", "tangents", "slope at the key")]
    assert told == [title for _, title, _ in RULES_OF_TANGENTS]


def test_every_option_of_the_console_is_told() -> None:
    told = body("console", "option of footlight console", "means")
    assert {row[0].split()[0] for row in told} == {"SHOW", *options_of("console")}
    assert f"tcp/127.0.0.1:{DEFAULT_PORT}" in page("console")


def test_what_a_silent_console_leads_to_is_the_rules() -> None:
    told = [row[0] for row in body("console", "silent for", "the robot")]
    silent_s = HealthSettings().link_silent_s
    after_s = [rule.after_s for rule in RULES if rule.flag is Flag.OPERATOR_SILENT]
    assert told == [f"{silent_s + wait_s:g} s" for wait_s in after_s]


def test_the_ladder_is_the_stop_panels() -> None:
    told = [row[:2] for row in body("stopping", "", "key", "the robot", "on the floor")]
    keys = [(control.name, control.key.split(",")[0]) for control in (CANCEL, HOLD, SETTLE, STOP)]
    assert [(name, key.split(",")[0]) for name, key in told] == [*keys, ("E-stop", "the mushroom")]


def test_every_column_of_the_cue_list_is_told() -> None:
    told = [
        word for row in body("running_a_show", "column", "shows") for word in row[0].split(", ")
    ]
    assert sorted(told) == sorted(column.title for column in COLUMNS)


def test_every_preference_is_told() -> None:
    told = ", ".join(row[0] for row in body("files", "preference", "usual", "means"))
    assert told == ", ".join(words.label for words in WORDS.values())


def test_every_camera_is_told() -> None:
    told = [
        row[:2] for row in body("stage_view", "", "key, when the picture has the focus", "from")
    ]
    assert told == [(title, key) for title, key, _ in TITLES.values()]


def defaults_of(command: str) -> dict[str, str]:
    (commands,) = [action for action in build_parser()._actions if action.dest == "command"]
    assert commands.choices is not None
    parser = commands.choices[command]  # type: ignore[index]
    defaults = {
        (action.option_strings or [action.metavar])[0]: action.default
        for action in parser._actions
        if action.dest != "help"
    }
    return {
        name: {None: "none", False: "off"}[value]
        if value is None or value is False
        else f"{value:g}"
        if isinstance(value, (int, float))
        else str(value)
        for name, value in defaults.items()
    }


@pytest.mark.parametrize("command", ["bench", "doctor"])
def test_every_option_and_its_default_is_told(command: str) -> None:
    told = {row[0].split()[0]: row[1] for row in body(command, "option", "default", "means")}
    assert told == defaults_of(command)


def test_every_state_of_the_doctors_findings_is_told() -> None:
    assert [row[0] for row in body("doctor", "state", "means")] == [str(one) for one in State]
    text = page("doctor")
    for limit in (f"{OLD_DAYS} days", f"{WARM_C:g} °C", f"{VOLTS_APART:g} V", "12 GB"):
        assert limit in text
    assert f"{100.0 * POOR_QUALITY:g} %" in text
    assert RECORD_BYTES_PER_HOUR * NOTED_HOURS == 12e9


def test_every_part_of_the_bench_is_told() -> None:
    assert [row[0] for row in body("bench", "part", "measures")] == list(PARTS)
