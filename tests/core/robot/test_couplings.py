"""Couplings that cannot be eliminated are refused, each in one sentence."""

from pathlib import Path

import pinocchio as pin
import pytest

from core.errors import ProfileError
from core.robot.couplings import Coupling, eliminate, followers, read_couplings

FILE = "robot.xml"


def written(folder: Path, *elements: str) -> Path:
    path = folder / FILE
    path.write_text(f"<mujoco><equality>{''.join(elements)}</equality></mujoco>")
    return path


def joint(follower: str, primary: str, more: str = 'polycoef="0 1 0 0 0"') -> str:
    return f'<joint joint1="{follower}" joint2="{primary}" {more}/>'


def chain() -> pin.Model:
    """Return a free base with the hinges a and b and a ball joint, one after the other."""
    model = pin.Model()
    last = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    for name, kind in (
        ("a", pin.JointModelRX()),
        ("b", pin.JointModelRY()),
        ("ball", pin.JointModelSpherical()),
    ):
        last = model.addJoint(last, kind, pin.SE3.Identity(), name)
        model.appendBodyToJoint(last, pin.Inertia.Random(), pin.SE3.Identity())
    return model


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([joint("b", "a", 'polycoef="0.1 1 0 0 0"')], "equality, b.*not proportional"),
        ([joint("b", "a", 'polycoef="0 1 0.5 0 0"')], "equality, b.*not proportional"),
        ([joint("b", "a", 'polycoef="0 0 0 0 0"')], "equality, b.*not proportional"),
        ([joint("b", "a", 'polycoef="0 nan 0 0 0"')], "equality, b.*not proportional"),
        ([joint("b", "a", 'polycoef="0 one"')], "equality, b.*wrong polycoef"),
        ([joint("b", "a", 'polycoef="0"')], "equality, b.*wrong polycoef"),
        (['<joint joint1="b"/>'], "equality, b.*couples one joint"),
        (["<joint/>"], "equality, joint.*couples one joint"),
        ([joint("b", "a"), joint("c", "b")], "equality, c.*follows 'b', which follows another"),
        ([joint("b", "a"), joint("a", "b")], "equality, b.*follows 'a', which follows another"),
        ([joint("b", "a"), joint("b", "c")], "equality, b.*follows two joints"),
        ([joint("b", "b")], "equality, b.*follows 'b', which follows another"),
    ],
)
def test_a_wrong_coupling_is_refused(tmp_path: Path, elements: list[str], message: str) -> None:
    with pytest.raises(ProfileError, match=message) as caught:
        read_couplings(written(tmp_path, *elements))
    assert FILE in str(caught.value) and "\n" not in str(caught.value)


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="robot.xml"):
        read_couplings(tmp_path / FILE)
    (tmp_path / FILE).write_text("<mujoco>")
    with pytest.raises(ProfileError, match="not valid XML"):
        read_couplings(tmp_path / FILE)
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProfileError, match="not valid XML"):
        read_couplings(tmp_path / FILE)


def test_couplings_are_read_but_not_inactive_ones(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        joint("b", "a", 'polycoef="0 -0.8 0 0 0"'),
        joint("c", "a", ""),
        joint("d", "a", 'active="false"'),
        '<weld body1="x"/>',
    )
    assert read_couplings(path) == (Coupling("b", "a", -0.8), Coupling("c", "a", 1.0))


@pytest.mark.parametrize(
    ("coupling", "message"),
    [
        (Coupling("x", "a", 1.0), "no joint 'x' of one angle"),
        (Coupling("b", "x", 1.0), "no joint 'x' of one angle"),
        (Coupling("ball", "a", 1.0), "no joint 'ball' of one angle"),
        (Coupling("a", "b", 1.0), "comes before 'b', which it follows"),
    ],
)
def test_a_coupling_that_does_not_fit_the_model_is_refused(
    coupling: Coupling, message: str
) -> None:
    with pytest.raises(ProfileError, match=message) as caught:
        eliminate(chain(), (coupling,), FILE)
    assert f"equality, {coupling.follower}" in str(caught.value)


def test_the_primary_gets_the_rotor_of_its_follower() -> None:
    whole = chain()
    whole.armature[6:8] = 0.02, 0.03
    model = eliminate(whole, (Coupling("b", "a", -0.5),), FILE)
    assert model.nv == whole.nv - 1
    assert model.armature[6] == pytest.approx(0.02 + 0.25 * 0.03)
    a, b = model.getJointId("a"), model.getJointId("b")
    assert followers(model) == {b: (a, -0.5)}
