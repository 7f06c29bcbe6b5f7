"""Chooses how the feet of a robot touch the ground."""

from core.plants.biped.model import RobotModel
from core.plants.biped.whole_body.contacts import Contacts
from core.plants.biped.whole_body.point_contacts import PointContacts
from core.plants.biped.whole_body.sole_contacts import SoleContacts
from core.robot.profile import Profile


def make_contacts(profile: Profile, model: RobotModel) -> Contacts:
    """Return the forces of the ground on the feet of a robot."""
    kind = SoleContacts if profile.contacts[0].kind == "sole" else PointContacts
    return kind(profile, model)
