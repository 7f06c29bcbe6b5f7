"""Collisions between the legs, of which the model itself has none."""

from typing import Any

import mujoco

from devices.sim.description import Shape
from devices.sim.settings import SimSettings

FIRST_BIT = 4  # contact bit of the first leg, beyond those of the floor and of the stool


def let_legs_touch(spec: Any, model: Any, settings: SimSettings, base: int) -> None:
    """Let the shapes of each leg collide with those of the others.

    The spheres that the contact switches feel stay out of it, so that they feel the floor only.

    Args:
        spec: of the room, whose shapes are changed.
        model: compiled from it.
        settings: of the simulation.
        base: id of the robot's base.
    """
    switches = {name for geoms in settings.contact_geoms for name in geoms}
    legs = [_leg(model, geoms[0], base) for geoms in settings.contact_geoms if geoms]
    every = sum(FIRST_BIT << leg for leg in range(len(legs)))
    for index, shape in enumerate(settings.body.every_leg_shape):
        _add(spec, index, shape)
    for leg, bodies in enumerate(legs):
        bit = FIRST_BIT << leg
        for geom in spec.geoms:
            hard = geom.contype or geom.name.startswith(LEG_SHAPE)
            if geom.parent.name in bodies and hard and geom.name not in switches:
                geom.contype |= bit
                geom.conaffinity |= every & ~bit


LEG_SHAPE = "leg_shape_"


def _leg(model: Any, switch: str, base: int) -> set[str]:
    """Return the names of the bodies from a contact to the base."""
    body = int(model.geom_bodyid[model.geom(switch).id])
    names: set[str] = set()
    while body not in (base, 0):
        names.add(model.body(body).name)
        body = int(model.body_parentid[body])
    return names


def _add(spec: Any, index: int, shape: Shape) -> None:
    body = spec.body(shape.body)
    if body is None:
        raise KeyError(f"there is no body {shape.body!r}")
    body.add_geom(
        name=f"{LEG_SHAPE}{index}",
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        size=[shape.radius, 0, 0],
        fromto=[*shape.start, *shape.end],
        contype=0,
        conaffinity=0,
        condim=3,
        group=3,
        mass=0,
    )
