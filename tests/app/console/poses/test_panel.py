"""The panel Poses: sliders, library, capture, the ghost and its handles, motions of poses."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.poses.panel import PosesPanel
from app.console.stage.handles import Handle
from core.link.client import Client
from core.link.commands import GoToPose
from core.link.event import Event
from core.link.pose import PoseQuestion, PoseVerdict
from core.link.statement import Statement
from core.link.topics import POSE_QUESTION
from shows.document import Show
from shows.pose import Pose
from shows.pose_motion import PoseMotion
from tests.app.console.figures import tree
from tests.app.console.gestures import motions
from tests.app.console.rig import HELLO, ROBOT, STANDING, LineCore

REST = tuple(0.25 if "elbow" in name else 0.0 for name in HELLO.joint_names)
WITH_REST = replace(HELLO, rest=REST)
RAISED = {"left_elbow": 1.0, "left_shoulder_pitch": -1.0, "left_shoulder_roll": 0.0}
HERO = Pose("hero", RAISED, "Hero")
NOD = Pose("nod", {"head_pitch": 0.3, "head_yaw": 0.0}, "Nod", "recorded", ("polite",))


class Rig:
    def __init__(self, context: Context, core: LineCore, qtbot: QtBot, folder: Path) -> None:
        self.context, self.core, self.qtbot = context, core, qtbot
        self.document = context.document
        self.document.open(
            Show(name="Gala"), folder / "gala", {}, {}, poses={"hero": HERO, "nod": NOD}
        )
        self.panel = PosesPanel(context, None, motions.picture)
        self.editor = self.panel.editor
        qtbot.addWidget(self.panel)
        self.posed: list[dict[str, float] | None] = []
        self.handles: list[tuple[Handle, ...]] = []
        self.said: list[str] = []
        self.panel.posed.connect(self.posed.append)
        self.panel.handles_changed.connect(self.handles.append)
        context.notices.said.connect(self._hear)
        qtbot.waitUntil(lambda: self.editor.joints is not None and bool(self.editor.rest))
        self.panel.take_tree(tree())
        self.panel.resize(1100, 320)
        with qtbot.waitExposed(self.panel):
            self.panel.show()
        self.panel.set_seen(True)

    def _hear(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def button(self, name: str) -> QAbstractButton:
        found = next(w for w in self.panel.findChildren(QWidget) if w.accessibleName() == name)
        assert isinstance(found, QAbstractButton)
        return found

    def click(self, name: str) -> None:
        self.button(f"{name} (pose)").click()

    def choose(self, *titles: str) -> None:
        poses = self.panel.library.list
        for row in range(poses.count()):
            if poses.item(row).text() in titles:
                poses.setCurrentItem(poses.item(row))
        for row in range(poses.count()):
            poses.item(row).setSelected(poses.item(row).text() in titles)
        poses.itemClicked.emit(poses.currentItem())

    @property
    def angles(self) -> dict[str, float]:
        return dict(self.editor.state.angles)

    @property
    def words(self) -> str:
        return self.panel._words.text()

    def q(self) -> tuple[float, ...]:
        scene = self.context.link.scene
        return () if scene is None else tuple(scene.q)

    def mode(self) -> str:
        status = self.context.link.status
        return "" if status is None else status.mode

    def ghost(self) -> dict[str, float] | None:
        return self.posed[-1]

    def places(self) -> dict[str, np.ndarray]:
        return {handle.name: handle.place for handle in self.handles[-1]}


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Rig:
    core.hello = WITH_REST
    qtbot.waitUntil(lambda: context.link.hello == WITH_REST)
    return Rig(context, core, qtbot, tmp_path)


def test_every_joint_of_the_upper_body_has_a_slider_between_its_limits(rig: Rig) -> None:
    joints = rig.editor.joints
    assert joints is not None
    rows = {n: r for group in rig.panel.sliders.groups.values() for n, r in group.rows.items()}
    assert set(rows) == set(joints.limb_of)
    row = rows["left_elbow"]
    assert row.box.value() == pytest.approx(np.degrees(0.25), abs=0.1)  # rest
    row.box.setValue(500.0)
    assert rig.angles["left_elbow"] == pytest.approx(2.0)
    row.slider.setValue(row.slider.minimum())
    assert rig.angles["left_elbow"] == pytest.approx(-0.43, abs=0.002)
    row.slider.rest_asked.emit()
    assert rig.angles["left_elbow"] == 0.25
    rig.panel._undo.click()
    assert rig.angles["left_elbow"] == pytest.approx(-0.43, abs=0.002)
    rig.panel._undo.click()
    assert rig.angles["left_elbow"] == 0.25  # the turns of one slider are one change
    rig.panel._redo.click()
    assert rig.angles["left_elbow"] == pytest.approx(-0.43, abs=0.002)


def test_a_limb_is_mirrored_copied_and_put_at_rest(rig: Rig) -> None:
    rig.editor.set_angles("x", {"left_elbow": 1.0, "right_elbow": 0.5, "head_yaw": 0.4})
    rig.button("Exchange L arm and R arm").click()
    assert (rig.angles["left_elbow"], rig.angles["right_elbow"]) == (0.5, 1.0)
    assert rig.angles["head_yaw"] == 0.4
    rig.button("Give R arm the mirror image of L arm").click()
    assert (rig.angles["left_elbow"], rig.angles["right_elbow"]) == (0.5, 0.5)
    rig.button("Turn Head to the other side").click()
    assert rig.angles["head_yaw"] == -0.4
    rig.button("Mirror the whole pose").click()
    assert rig.angles["head_yaw"] == 0.4
    rig.button("Put L arm at rest").click()
    assert (rig.angles["left_elbow"], rig.angles["right_elbow"]) == (0.25, 0.5)


def test_the_ghost_has_the_limbs_of_the_pose_while_the_panel_is_seen(rig: Rig) -> None:
    assert rig.ghost() == rig.angles
    assert {"left hand", "left elbow", "right hand", "right elbow", "gaze"} == set(rig.places())
    rig.button("L arm belongs to the pose").click()
    shown = rig.ghost()
    assert shown is not None and "left_elbow" not in shown and "right_elbow" in shown
    assert "left hand" not in rig.places() and "right hand" in rig.places()
    rig.panel.set_seen(False)
    assert rig.ghost() is None and rig.handles[-1] == ()
    rig.editor.begin()
    assert rig.ghost() is None and rig.handles[-1] == ()
    rig.panel.set_seen(True)
    assert rig.ghost() is not None
    rig.context.lock.set_locked(True)
    assert rig.ghost() is None and rig.handles[-1] == ()
    assert not rig.button("Save (pose)").isEnabled()
    assert not rig.panel.sliders.groups["left_arm"].rows["left_elbow"].slider.isEnabled()
    rig.panel.lead("left hand", np.array([0.3, 0.2, 0.3]))
    assert rig.angles["left_elbow"] == 0.25  # in SHOW nothing is edited


def test_a_handle_leads_its_limb_alone_and_each_drag_is_one_change(rig: Rig) -> None:
    before, start = rig.angles, rig.places()["left hand"].copy()
    for share in np.linspace(0.1, 1.0, 10):
        rig.panel.lead("left hand", start + share * np.array([0.15, 0.05, 0.12]))
    rig.panel.let_go("left hand")
    assert rig.places()["left hand"] == pytest.approx(start + [0.15, 0.05, 0.12], abs=0.005)
    turned = {joint for joint, angle in rig.angles.items() if abs(angle - before[joint]) > 1e-9}
    assert turned == {"left_shoulder_pitch", "left_shoulder_roll", "left_elbow"}
    rig.panel.lead("left hand", start)
    rig.panel._undo.click()
    assert rig.places()["left hand"] == pytest.approx(start + [0.15, 0.05, 0.12], abs=0.005)
    rig.panel._undo.click()
    assert rig.angles == before
    rig.panel.lead("left hand", np.array([0.0, 3.0, 0.0]))
    assert not next(h for h in rig.handles[-1] if h.name == "left hand").reached
    rig.panel.let_go("left hand")
    assert all(handle.reached for handle in rig.handles[-1])


def test_the_head_looks_at_a_typed_place_and_says_when_it_cannot(rig: Rig) -> None:
    gaze = rig.panel.gaze
    z = rig.core.scene.base_position[2] + 0.42  # the eye's height
    rig.panel._aim((1.0, 1.0, z))
    assert rig.angles["head_yaw"] == pytest.approx(np.radians(45.0), abs=0.01)
    assert rig.angles["head_pitch"] == pytest.approx(0.0, abs=0.01)
    assert "can look there" in gaze._words.text()
    assert [box.value() for box in gaze._boxes.values()] == pytest.approx([1.0, 1.0, z], abs=0.01)
    gaze._boxes["x"].setValue(-1.0)
    assert "out of the head's range" in gaze._words.text()
    assert rig.angles["head_yaw"] == pytest.approx(1.57)
    assert not next(handle for handle in rig.handles[-1] if handle.name == "gaze").reached
    rig.editor.set_angles("x", {"head_yaw": 0.0, "head_pitch": 0.0})
    assert "can look there" in gaze._words.text()  # turned by its sliders it has another target


def test_poses_are_saved_renamed_deleted_and_brought_back(rig: Rig) -> None:
    rig.editor.set_angles("x", {"head_yaw": 0.5})
    rig.panel.library.name.setText("Look left")
    rig.click("Save")
    saved = rig.document.poses["look_left"]
    assert saved.angles["head_yaw"] == 0.5 and saved.source == "keyed"
    assert rig.document.dirty and rig.panel.library.list.current() == "look_left"
    rig.editor.set_angles("x", {"head_yaw": 0.6})
    assert rig.button("Save (pose)").text() == "● Save"
    rig.click("Save")
    assert rig.document.poses["look_left"].angles["head_yaw"] == 0.6
    rig.document.undo.undo()
    assert rig.document.poses["look_left"].angles["head_yaw"] == 0.5
    rig.click("Save as")
    assert set(rig.document.poses) == {"hero", "nod", "look_left", "look_left_2"}
    rig.panel.library.list.renamed.emit("look_left_2", "Hero")
    assert "already" in rig.words and "look_left_2" in rig.document.poses
    rig.panel.library.list.renamed.emit("look_left_2", "Far left")
    assert "far_left" in rig.document.poses and rig.panel.library.name.text() == "Far left"
    rig.panel.library.name.setText("Farther left")
    rig.click("Save")
    assert "farther_left" in rig.document.poses and "far_left" not in rig.document.poses
    rig.choose("Hero", "Nod")
    rig.click("Delete")
    assert set(rig.document.poses) == {"look_left", "farther_left"}
    rig.document.undo.undo()
    assert {"hero", "nod"} <= set(rig.document.poses)
    rig.panel.library.name.setText("123")
    rig.editor.begin()
    rig.click("Save")
    assert "no letter" in rig.words


def test_a_pose_is_opened_with_its_limbs_and_found_by_its_tags(rig: Rig) -> None:
    rig.choose("Hero")
    assert rig.editor.state.limbs == {"left_arm"} and rig.angles["left_elbow"] == 1.0
    assert rig.angles["right_elbow"] == 0.25  # the others are at rest
    assert rig.panel.library.name.text() == "Hero" and rig.button("Save (pose)").text() == "Save"
    rig.panel.library.search.setText("polite")
    assert [
        rig.panel.library.list.item(i).text() for i in range(rig.panel.library.list.count())
    ] == ["Nod"]
    rig.panel.library.search.setText("")
    rig.choose("Nod")
    assert rig.editor.pose_angles == dict(NOD.angles)


def test_a_pose_is_taken_from_the_robot_only_while_it_is_still(rig: Rig) -> None:
    rig.qtbot.wait(300)
    rig.core.scene = replace(STANDING, q=tuple(0.1 for _ in STANDING.q))
    rig.qtbot.waitUntil(lambda: rig.q()[0] == 0.1)
    rig.click("Take from robot")
    assert "head pitch moves" in rig.words or "moves at" in rig.words
    assert rig.angles["left_elbow"] == 0.25
    rig.qtbot.wait(400)
    rig.click("Take from robot")
    assert set(rig.angles.values()) == {0.1} and rig.editor.state.source == "recorded"
    rig.panel.set_seen(False)
    rig.panel.capture_pose.trigger()  # the key acts while another panel is seen
    taken = rig.document.poses["pose_1"]
    assert taken.source == "recorded" and dict(taken.angles) == rig.angles
    rig.context.lock.set_locked(True)
    rig.panel.capture_pose.trigger()
    assert "locked" in rig.said[-1] and len(rig.document.poses) == 3


def test_in_record_only_the_released_limbs_are_taken(rig: Rig) -> None:
    freedoms = ("driven", "floating", "driven", "driven", "driven")
    rig.core.set(mode="RECORD", freedoms=freedoms)
    rig.qtbot.waitUntil(lambda: rig.mode() == "RECORD")
    rig.qtbot.wait(300)
    nods = HELLO.joint_names.index("head_pitch")
    for step in range(20):  # a driven limb moves
        q = tuple(0.02 * step if i == nods else 0.3 for i in range(len(STANDING.q)))
        rig.core.scene = replace(STANDING, q=q)
        rig.qtbot.wait(20)
    rig.panel.capture_pose.trigger()
    assert dict(rig.document.poses["pose_1"].angles) == {
        "left_shoulder_pitch": 0.3, "left_shoulder_roll": 0.3, "left_elbow": 0.3
    }  # fmt: skip


def test_the_robot_goes_to_a_pose_and_a_refusal_has_the_cores_reason(rig: Rig) -> None:
    rig.choose("Hero")
    rig.panel._duration.setValue(2.5)
    rig.click("Go to pose")
    rig.qtbot.waitUntil(lambda: rig.core.commands[-1:] == [GoToPose(dict(HERO.angles), 2.5)])
    reason = Statement("wrong_mode", {"mode": "DAMPED"})
    rig.core.say(Event(1.0, "core", "refused", {"command": "go_to_pose", "reason": reason}))
    rig.qtbot.waitUntil(lambda: "in DAMPED, not READY" in rig.words)


@pytest.fixture
def stagehand(core: LineCore) -> Iterator[Client]:
    with Client(core.endpoint, ROBOT, "stagehand") as found:
        found.subscribe(POSE_QUESTION)
        yield found


def test_collisions_and_torque_are_marked_for_the_newest_pose(stagehand: Client, rig: Rig) -> None:
    questions: list[PoseQuestion] = []

    def asked(angle: float) -> bool:
        questions.extend(stagehand.subscribe(POSE_QUESTION).poll())
        return bool(questions) and questions[-1].angles["left_elbow"] == pytest.approx(angle)

    def answer(collisions: tuple[tuple[str, str], ...], loads: dict[str, float]) -> None:
        asked = questions[-1]
        stagehand.publish(PoseVerdict(asked.sender, asked.number, collisions, loads))

    rig.qtbot.waitUntil(lambda: asked(0.25))
    for step in range(5):
        rig.editor.set_angles("x", {"left_elbow": 0.9 + 0.1 * step}, "drag")
    assert rig.panel._check.text() == "? checking the pose"
    answer((), {"head_yaw": 0.01})
    rig.qtbot.waitUntil(lambda: asked(1.3))
    assert len(questions) == 2  # those between were never sent
    answer((("left_hand", "torso"),), {"left_elbow": 1.05, "left_shoulder_pitch": 0.85})
    rig.qtbot.waitUntil(lambda: "left hand touches torso" in rig.panel._check.text())
    text = rig.panel._check.text()
    assert text.startswith("■") and "left elbow needs 105 %" in text
    rows = rig.panel.sliders.groups["left_arm"].rows
    marks = [rows[joint]._load.text() for joint in ("left_elbow", "left_shoulder_pitch")]
    assert marks == ["■ 105 %", "▲ 85 %"]


def test_chosen_poses_become_a_motion_and_longer_ways_are_told(rig: Rig) -> None:
    made: list[PoseMotion] = []
    rig.panel.motion_asked.connect(made.append)
    sequence = rig.panel.sequence
    rig.panel.library.list.clearSelection()
    sequence.buttons["Add"].click()
    assert "choose poses" in sequence._words.text().casefold()
    rig.choose("Hero", "Nod")
    sequence.buttons["Add"].click()
    sequence.table.setCurrentCell(1, 0)
    sequence.buttons["Up"].click()
    assert [stop.pose.label for stop in sequence.stops] == ["Nod", "Hero"]
    rig.choose("Hero")
    rig.editor.set_angles("x", {"left_shoulder_pitch": 1.5, "left_elbow": -0.4})
    rig.click("Save")
    rig.choose("Hero")
    sequence.buttons["Add"].click()
    sequence._box(2, 1).setValue(0.0)
    sequence.buttons["→ Motion"].click()
    assert len(made) == 1 and made[0].stretched == (2,)
    assert "made ways longer: to Hero" in sequence._words.text()
    assert sequence._box(2, 1).value() == pytest.approx(made[0].travel_s[2], abs=0.006)
    sequence.table.setCurrentCell(0, 0)
    sequence.buttons["Remove"].click()
    assert len(sequence.stops) == 2
    rig.document.open(Show(name="Other"), None, {}, {})
    assert not sequence.table.rowCount() and rig.panel.library.list.count() == 0


def test_another_robot_has_other_sliders(rig: Rig) -> None:
    names = tuple(f"{name}_joint" for name in HELLO.joint_names)
    rig.core.hello = replace(WITH_REST, robot="other", joint_names=names, gaze=None, started_s=2.0)
    rig.qtbot.waitUntil(lambda: "left_elbow_joint" in rig.editor.rest)
    assert rig.handles[-1] == () or rig.panel._puppet is None
    assert not rig.panel.gaze.isVisible()
    rig.choose("Hero")
    assert "no joint" in rig.words


def test_keys_of_the_list(rig: Rig) -> None:
    rig.choose("Nod")
    rig.panel.library.list.setFocus()
    QTest.keyClick(rig.panel.library.list, Qt.Key.Key_Delete)
    assert set(rig.document.poses) == {"hero"}
