"""Settings of the player."""

import msgspec


class PlayerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the player.

    Attributes:
        voice_lead_s: time by which a phrase is announced before its start [s].
        safe_point_within_s: longest time to a safe point without an operator [s].
        show_mode: GO refuses a cue that failed its preflight; if False, as in rehearsal, it plays
            with a note.
    """

    voice_lead_s: float = 0.15
    safe_point_within_s: float = 5.0
    show_mode: bool = True
