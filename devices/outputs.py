"""The computer's sound outputs, as the speaker finds them."""

from devices.interface import SoundFacts
from devices.mixer import CHANNELS, RATE_HZ


def sound_outputs(wanted: str | None = None) -> SoundFacts:
    """Return the sound outputs; play nothing.

    Args:
        wanted: name of the output to test with the speaker's format; None for the default.
    """
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        return SoundFacts(f"{error}; install libportaudio2 and python's sounddevice")
    try:
        devices = [one for one in sounddevice.query_devices() if one["max_output_channels"] > 0]
        names = tuple(str(one["name"]) for one in devices)
        if not names:
            return SoundFacts("there is no sound output; plug one in")
        default = str(sounddevice.query_devices(kind="output")["name"])
        sounddevice.check_output_settings(wanted, CHANNELS, "float32", samplerate=RATE_HZ)
    except (sounddevice.PortAudioError, ValueError) as error:
        if wanted is not None and names and not any(wanted.lower() in n.lower() for n in names):
            return SoundFacts("", default, names)
        return SoundFacts(f"the output cannot be used ({error}); plug another one in")
    return SoundFacts("", default, names)
