"""Decides whether the link to the handset is lost.

CRSF has no flag for a lost link: its channel frames simply stop, while a receiver may report a
link for seconds more. The age of the last valid channel frame is the only watchdog; a link quality
of zero ends the link sooner, and a missing one never prolongs it.
"""

LOST_S = 0.25  # silence after which the link is lost [s]


def is_lost(
    now_s: float,
    last_channels_s: float,
    link_quality: int | None = None,
    lost_s: float = LOST_S,
) -> bool:
    """Return whether the last controls of the handset are invalid.

    Args:
        now_s: the time [s].
        last_channels_s: arrival of the last valid channel frame [s]; minus infinity if none.
        link_quality: quality in the last link statistics [%], or None if there were none.
        lost_s: the longest silence [s].
    """
    age_s = now_s - last_channels_s
    # An age that is NaN or negative is doubt: the comparison then fails.
    return not 0.0 <= age_s <= lost_s or link_quality == 0
