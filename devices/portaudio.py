"""PortAudio: loading it, looking for devices again, and the text of its errors."""

from types import ModuleType


def renewed(library: ModuleType | None) -> ModuleType:
    """Return PortAudio's library, which then knows the devices that are present.

    Args:
        library: the library as it was returned before; None at first.

    Raises:
        ImportError: the library is not installed.
        OSError: likewise.
        LookupError: PortAudio does not start; one sentence.
    """
    found: ModuleType
    try:
        if library is None:
            import sounddevice

            found = sounddevice
        else:
            found = library
            # PortAudio only knows the devices that were present when it was initialised.
            if found._initialized:  # not if it did not start the last time
                found._terminate()
            found._initialize()
    except (ImportError, OSError):
        raise
    except Exception as error:  # PortAudioError, whose class a failed import does not give
        why = reason(error)
        raise LookupError(f"the sound system does not start ({why}); it is tried again") from error
    return found


def reason(error: Exception) -> str:
    """Return the text of an error of PortAudio, or of any other."""
    if len(error.args) > 2:
        return str(error.args[2][2])  # the host's last error
    return str(error.args[0]) if error.args else type(error).__name__
