"""The rule when a GO counts; pure, time is an argument."""

import math

# No finger presses again so soon: the contact bounced, or the screen's repeating key was taken
# for one that is let go and pressed.
BOUNCE_S = 0.05


class GoGuard:
    """Owns whether the next GO counts; a nervous hand starts one cue, not two.

    Attributes:
        minimum_s: a GO within this time after the last is ignored [s].
        key_up: GO is armed again only when its key was released.
    """

    def __init__(self, minimum_s: float = 0.3, key_up: bool = True) -> None:
        self.minimum_s, self.key_up = minimum_s, key_up
        self._last_s = self._released_s = -math.inf
        self._down = False

    def press(self, now_s: float, by_key: bool = False) -> str:
        """Take a GO; return nothing where it counts, else why it is ignored.

        Args:
            now_s: [s].
            by_key: a key was pressed that will be released; a mouse click ends at once.
        """
        if by_key and now_s - self._released_s < BOUNCE_S:
            self._down = True
        reason = self.reason(now_s)
        if by_key:
            self._down = True
        if not reason:
            self._last_s = now_s
        return reason

    def release(self, now_s: float) -> None:
        """Take that the key was let go at a time [s], or can no longer be seen."""
        if self._down:
            self._released_s = now_s
        self._down = False

    def reason(self, now_s: float) -> str:
        """Return why a GO would be ignored now; nothing where it would count."""
        since_s = now_s - self._last_s
        if since_s < self.minimum_s:
            return f"double GO ignored ({self.minimum_s:g} s guard)"
        if self.key_up and self._down:
            return "GO ignored: its key is still down; release it first"
        return ""
