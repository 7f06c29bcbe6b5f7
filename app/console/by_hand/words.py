"""Words for the state of a part that is led by hand."""

from PySide6.QtWidgets import QLabel

from app.console.toolkit import theme

HOLDERS = {
    "pad": "in your hand, on the pad",
    "keys": "in your hand, by keys",
    "slider": "in your hand, on the slider",
    "controller": "in your hand, by the controller",
}
_STATES = {
    "REST": (theme.IDLE, "at rest"),
    "ACTION": (theme.BUSY, "plays a gesture"),
    "TRANSITION": (theme.BUSY, "in transition"),
    "STOP": (theme.WARN, "frozen: resume it first"),
    "JOYSTICK": (theme.GOOD, "by hand"),
    "LIVE": (theme.GOOD, "follows a person"),
}


def state_words(state: str) -> tuple[theme.Tone, str]:
    """Return tone and words for the core's name of a limb's state; empty if it is unknown."""
    return _STATES.get(state, (theme.UNKNOWN, state or "not known"))


def show_words(label: QLabel, tone: theme.Tone, words: str) -> None:
    """Show a state by mark, words and colour."""
    text = f"{tone.mark} {words}"
    if label.text() != text:
        label.setText(text)
        label.setStyleSheet(f"color: {tone.colour}")
