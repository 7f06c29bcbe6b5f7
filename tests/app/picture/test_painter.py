"""The renderer is known by its name."""

import pytest

from app.picture.painter import is_software


@pytest.mark.parametrize(
    ("name", "software"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", True),
        ("Google SwiftShader", True),
        ("softpipe", True),
        ("Mesa Intel(R) UHD Graphics 620", False),
        ("NVIDIA GeForce GTX 1650/PCIe/SSE2", False),
    ],
)
def test_a_processor_that_draws_is_known(name: str, software: bool) -> None:
    assert is_software(name) is software
