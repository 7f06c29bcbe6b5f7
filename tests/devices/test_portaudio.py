"""PortAudio's library: faults of its start become one sentence, and the next start succeeds."""

import pytest

from devices.portaudio import reason, renewed

try:
    import sounddevice
except OSError:
    pytest.skip("needs libportaudio2", allow_module_level=True)


def test_a_start_that_failed_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    library = renewed(None)
    with monkeypatch.context() as broken:

        def refuse() -> None:
            raise sounddevice.PortAudioError("Error initializing", -1, (8, 1, "the host is gone"))

        broken.setattr(sounddevice, "_initialize", refuse)
        for _ in range(2):  # the second time it is not initialised any more
            with pytest.raises(LookupError, match=r"does not start \(the host is gone\)"):
                renewed(library)
    assert renewed(library) is library and library._initialized == 1
    library.query_devices()


def test_the_text_of_an_error_is_found() -> None:
    assert reason(sounddevice.PortAudioError("no input", -9996)) == "no input"
    assert reason(RuntimeError()) == "RuntimeError"
