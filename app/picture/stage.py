"""The stage: brings the scene graph up to date with a shot."""

from collections.abc import Mapping

from app.picture import ghost, overlay, posture
from app.picture.camera import Camera
from app.picture.figure import FigureNodes
from app.picture.floor import laid
from app.picture.protocol import Cast, Shot
from app.picture.robot_tree import RobotTree
from app.picture.scene_graph import SceneGraph


class Stage:
    """Owns the figures of one robot, and the person, in one scene graph.

    Args:
        cast: the robot.
        tree: its bodies and surfaces.
        graph: an empty scene graph.
    """

    def __init__(self, cast: Cast, tree: RobotTree, graph: SceneGraph) -> None:
        self._cast, self._tree, self._graph = cast, tree, graph
        self._robot, self._ghost = self._figures()
        self._person = graph.person()
        self._shown = [True] * len(tree.bodies)

    def _figures(self) -> tuple[FigureNodes, FigureNodes]:
        return self._graph.figures(self._tree)

    def update(self, shot: Shot) -> bool:
        """Show a shot; return whether anything changed."""
        tree, graph, names = self._tree, self._graph, self._cast.joint_names
        scene = laid(shot.scene, names, tree) if shot.limp else shot.scene
        measured = posture.angles(names, scene.q)
        base = posture.base(scene, tree, bool(self._cast.feet))
        changed = self._robot.pose(measured, base)
        wanted: Mapping[str, float] = (
            posture.angles(names, scene.q_reference) if shot.ghost is None else shot.ghost
        )
        wanted = measured | dict(wanted)
        if any(shot.ghost_base):
            self._shown = [True] * len(tree.bodies)
        else:
            self._shown = ghost.apart(tree, measured, wanted, self._shown)
        changed |= self._ghost.show(self._shown)
        if any(self._shown):
            changed |= self._ghost.pose(wanted, ghost.away(base, shot.ghost_base))
        changed |= self._person.pose(shot.human)
        poses = tree.forward_kinematics(measured, base)
        contacts = [poses[i, :3, :3] @ place + poses[i, :3, 3] for i, place in tree.contacts]
        changed |= graph.paint("ground", *overlay.ground(scene, self._cast.feet, shot.path))
        changed |= graph.place(overlay.marks(scene, contacts, poses[0, :3, 3]))
        changed |= graph.centre_grid(float(base[0, 3]), float(base[1, 3]))
        target, (distance, yaw, pitch) = shot.camera[:3], shot.camera[3:]
        changed |= graph.look(Camera(target, distance, yaw, pitch))
        return changed
