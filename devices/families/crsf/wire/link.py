"""Whether the handset is still heard.

CRSF has no flag for a lost link: its channel frames simply stop, while a receiver may tell of a
link for seconds more. The age of the last valid channel frame is the only watchdog; a link quality
of zero ends trust sooner, and its absence never prolongs it.
"""

LOST_S = 0.25  # silence after which the operator counts as gone [s]


def is_lost(
    now_s: float,
    last_channels_s: float,
    link_quality: int | None = None,
    lost_s: float = LOST_S,
) -> bool:
    """Tell whether what the handset said last must not be obeyed any more.

    Args:
        now_s: the time [s].
        last_channels_s: when the last valid channel frame arrived [s]; minus infinity if never.
        link_quality: of the last link statistics [%], or None if none ever came.
        lost_s: the longest silence [s].
    """
    age_s = now_s - last_channels_s
    # An age that is no number, or negative, is doubt: the comparison then fails.
    return not 0.0 <= age_s <= lost_s or link_quality == 0
