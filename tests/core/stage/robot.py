"""The real robot for the tests of preflight, built once."""

from functools import cache

from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.stage.body import PreflightBody, body_from_profile


@cache
def profile() -> Profile:
    return load_profile("kid_cosmo")


@cache
def body() -> PreflightBody:
    return body_from_profile(profile())
