"""The forces of the ground on the feet, and the motion along them."""

from abc import ABC, abstractmethod

import numpy as np

from core.plants.biped.model import RobotModel
from core.records import Indices, record_of
from core.robot.profile import Contact
from devices.interface import Floats


class Contacts(ABC):
    """The forces of the ground on both feet; `update` computes once a tick how they act.

    A foot has w forces or moments. The variables of the whole-body controller begin with those of
    the left foot and of the right foot.

    Args:
        model: dynamics and kinematics, whose arrays the contacts follow.
        offsets: the points at which the forces act, in the frame of each sole (2, p, 3) [m].
        normals: places of the vertical forces among those of a foot.
        regularisation: weight of the square of each force, relative to a force at a point (w).
        levers: moment of each force about the foot's middle, along the foot and across it, divided
            by half of the foot's length and width (2, w).
        cone: rows of the friction cone of a foot; times its forces, each is at most zero (r, w).

    Attributes:
        width: forces of a foot (w).
        cone: as given (r, w).
        record: of the other arguments and of the following fields, for a kernel.
        jacobians: of the motion along the forces (2, w, n_v).
        velocities: of that motion (2, w) [m/s], [rad/s].
        drifts: its acceleration at zero q̈ (2, w) [m/s²], [rad/s²].
    """

    def __init__(
        self,
        model: RobotModel,
        *,
        offsets: Floats,
        normals: Indices,
        regularisation: Floats,
        levers: Floats,
        cone: Floats,
    ) -> None:
        self.width, self.cone = regularisation.size, cone
        self.record = record_of(
            offsets=offsets,
            normals=normals,
            regularisation=regularisation,
            levers=levers,
            jacobians=np.zeros((2, self.width, model.joint_count + 6)),
            velocities=np.zeros((2, self.width)),
            drifts=np.zeros((2, self.width)),
        )
        self.jacobians: Floats = self.record["jacobians"][0]
        self.velocities: Floats = self.record["velocities"][0]
        self.drifts: Floats = self.record["drifts"][0]

    @abstractmethod
    def update(self) -> None:
        """Compute the motion at the state of the model's last update."""

    @abstractmethod
    def attach(self, x: Floats) -> Floats:
        """Return the force at each point in the world, of a solution (2 p, 3) [N].

        Args:
            x: solution of the whole-body controller; it stays where it is in memory.
        """

    @abstractmethod
    def read(self) -> None:
        """Compute the forces at the points, where they are no part of the solution."""


def points_of(contact: Contact) -> Floats:
    """Return the contact points in the frame of the sole, heel first (p, 3) [m].

    A line has two points, heel and toe; a sole has four corners, on each end the left one first.
    """
    widths = (0.0,) if contact.kind == "line" else (contact.half_width, -contact.half_width)
    return np.array([(x, y, 0.0) for x in (contact.heel, contact.toe) for y in widths])


def half_extents(contact: Contact) -> Floats:
    """Return half of a foot's length and width (2) [m]."""
    return np.array([0.5 * (contact.toe - contact.heel), contact.half_width])


def middle_of(contact: Contact) -> Floats:
    """Return the middle of a foot in the frame of its sole (3) [m]."""
    return np.array([0.5 * (contact.toe + contact.heel), 0.0, 0.0])
