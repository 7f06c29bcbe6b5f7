"""How the player treats its operator."""

import msgspec


class PlayerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be tuned of the player.

    Attributes:
        voice_lead_s: how far ahead of its time a phrase is announced [s].
        safe_point_within_s: how long a cue may look for a safe point without an operator [s].
        show_mode: a cue that failed preflight cannot GO; in rehearsal it is only noted.
    """

    voice_lead_s: float = 0.15
    safe_point_within_s: float = 5.0
    show_mode: bool = True
