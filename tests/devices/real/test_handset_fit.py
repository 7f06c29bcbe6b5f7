"""A native handset needs its key; without one nothing less than the receiver's takes its place."""

from pathlib import Path

import msgspec
import pytest

from devices.families.crsf.handset import CrsfHandset
from devices.families.native_handset.handset import NativeHandset
from devices.real.composition import ports_of
from devices.real.handset_fit import handset_of
from devices.real.settings import Hardware, load_hardware
from devices.wire.errors import WireError
from tests.devices.wire.forgery import KEY
from tests.tracked import REPOSITORY


@pytest.fixture
def hardware() -> Hardware:
    return load_hardware(REPOSITORY / "assets" / "robots" / "kid_cosmo" / "hardware.toml")


def test_a_key_of_another_length_is_refused(hardware: Hardware, tmp_path: Path) -> None:
    with pytest.raises(WireError, match="32"):
        handset_of(hardware, ports_of(hardware, tmp_path), KEY[:-1])


def test_a_robot_without_radios_has_no_handset(hardware: Hardware, tmp_path: Path) -> None:
    bare = msgspec.structs.replace(hardware, receiver=None, native_handset=None)
    assert handset_of(bare, ports_of(bare, tmp_path), KEY) is None


def test_the_native_one_goes_first_where_its_key_is_known(
    hardware: Hardware, tmp_path: Path
) -> None:
    ports = ports_of(hardware, tmp_path)
    native, bought = handset_of(hardware, ports, KEY), handset_of(hardware, ports)
    assert isinstance(native, NativeHandset) and native.authenticated
    assert isinstance(bought, CrsfHandset) and not bought.authenticated
