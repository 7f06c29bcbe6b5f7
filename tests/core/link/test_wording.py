"""The catalogue: one sentence for each code, with the fields of its uses."""

import ast
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link import wording
from core.link.catalogue import faults, marks, partner, refusals, run, safety, show, takes
from core.link.event import Event
from core.link.statement import Sentence, Statement, Value
from core.link.wording import CATALOGUE, names, sentence, text
from tests.tracked import REPOSITORY, tracked_files

SUBJECTS = {
    "faults": faults,
    "marks": marks,
    "partner": partner,
    "refusals": refusals,
    "run": run,
    "safety": safety,
    "show": show,
    "takes": takes,
}
SENTENCES = [
    (subject, name, value)
    for subject, module in SUBJECTS.items()
    for name, value in vars(module).items()
    if isinstance(value, Sentence)
]
PREFIX = "core.link.catalogue"
SPEAKING = ("core", "app")


def spoken(tree: ast.Module) -> Iterator[tuple[str, ast.Call | None]]:
    """Yield the name of each sentence that a module uses, and the call if it is called there."""
    subjects: set[str] = set()
    own: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == PREFIX:
            subjects |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PREFIX}."):
            own |= {alias.asname or alias.name: alias.name for alias in node.names}
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in subjects:
                yield node.attr, called.get(id(node))
        elif isinstance(node, ast.Name) and node.id in own:
            yield own[node.id], called.get(id(node))


def uses() -> list[tuple[str, str, ast.Call | None]]:
    """Return file, sentence and call of every use in the code."""
    found: list[tuple[str, str, ast.Call | None]] = []
    for path in tracked_files():
        if path.parts[0] in SPEAKING and path.suffix == ".py":
            tree = ast.parse((REPOSITORY / path).read_text())
            found += [(str(path), name, call) for name, call in spoken(tree)]
    return found


USES = uses()


def test_a_code_has_one_sentence_and_a_sentence_one_code() -> None:
    assert len(SENTENCES) == len(CATALOGUE)
    assert len({name for _, name, _ in SENTENCES}) == len(SENTENCES)
    assert all(value.code == name.lower() for _, name, value in SENTENCES)


def test_whoever_says_a_sentence_delivers_its_fields() -> None:
    templates = {name: value for _, name, value in SENTENCES}
    wrong = []
    for path, name, call in USES:
        if call is None or name not in templates:
            continue
        given_names = {keyword.arg for keyword in call.keywords}
        wanted = names(templates[name].template)
        complete = given_names == wanted or (
            templates[name].lists_rest and wanted <= given_names and None in given_names
        )
        if call.args or not complete:
            wrong.append(f"{path}:{call.lineno}: {name} has {given_names}, not {set(wanted)}")
    assert not wrong, "\n".join(wrong)


def test_every_sentence_is_said_somewhere() -> None:
    said = {name for _, name, _ in USES}
    unsaid = [name for subject, name, _ in SENTENCES if subject != "faults" and name not in said]
    assert not unsaid


@pytest.mark.parametrize("value", [value for _, _, value in SENTENCES], ids=lambda v: v.code)
def test_a_template_can_be_a_part_of_a_sentence(value: Sentence) -> None:
    assert not value.template.endswith(".")
    assert value.template[0] == "{" or not value.template[:2].istitle()
    for line in value.advice.split(". "):
        assert not line or line[0].isupper()


values: st.SearchStrategy[Value] = st.recursive(
    st.text() | st.booleans() | st.integers() | st.floats() | st.lists(st.text()).map(tuple),
    lambda inner: st.builds(
        Statement,
        st.sampled_from([*CATALOGUE, "unknown"]),
        st.dictionaries(st.sampled_from(["reason", "cause", "fault", "command", "x"]), inner),
    ),
    max_leaves=4,
)
ALL_NAMES = sorted({name for _, _, value in SENTENCES for name in names(value.template)})


@given(
    st.sampled_from([*CATALOGUE, "unknown"]), st.dictionaries(st.sampled_from(ALL_NAMES), values)
)
def test_rendering_never_raises(code: str, fields: dict[str, Value]) -> None:
    said = Statement(code, fields)
    assert isinstance(text(said), str) and isinstance(sentence(said), str)
    event = wording.event(None, "core", said)
    assert text(event) == text(said)


def test_what_the_catalogue_lacks_reads_as_code_and_fields() -> None:
    assert text(Event(0.0, "core", "newer", {"joint": "left_knee", "share": 0.5})) == (
        "newer: joint left_knee, share 0.5"
    )
    assert text(Statement("cue_started", {})) == "cue_started"
    assert wording.advice(Statement("newer")) == ""
    assert wording.event(0.0, "core", Statement("newer")).severity == "info"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            refusals.REFUSED(
                command="stand_up", reason=refusals.LATCHED_BY(cause=faults.FALLEN_DAMP())
            ),
            "STAND UP refused: the robot has fallen; RESET first",
        ),
        (
            safety.FAULT_BEGAN_WITH(
                action="WARN",
                fault=faults.IMU_LATE_WARN(),
                detail=safety.AGE(age_s=0.0071),
            ),
            "WARN: the IMU is late; its values are predicted (7 ms). "
            "Check the IMU's cable if it persists.",
        ),
        (
            safety.FAULT_BEGAN(action="DAMP", fault=faults.STOP_PRESSED_DAMP()),
            "DAMP: STOP was pressed. Make sure that nobody touches the robot, then RESET.",
        ),
        (safety.PROCESSES(names=("scribe", "stagehand")), "the scribe and the stagehand"),
        (safety.DEVICES(names=("IMU", "left leg bus")), "IMU, left leg bus"),
        (safety.BATTERY_LEVEL(voltage_v=20.04, charge=0.125), "20.0 V, 12 %"),
        (
            show.SHOW_LOADED(show="Evening", cues=1, gestures=12),
            "Evening is ready to play: 1 cue, 12 gestures",
        ),
        (safety.HAND_LOADED(limb="left_hand"),
         "the left hand carries a load; the balance takes it into account"),
    ],
)  # fmt: skip
def test_fields_are_put_into_words(said: Statement, words: str) -> None:
    assert text(said) == words


def test_a_sentence_has_a_capital_and_a_full_stop() -> None:
    assert sentence(faults.ESTOP_OPEN_CUT()) == "The E-stop chain is open."
    assert sentence(Statement("show_warning", {"text": "It is long."})) == "It is long."
