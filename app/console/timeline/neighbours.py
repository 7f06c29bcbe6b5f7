"""Which clip lies beside another one, for the arrow keys."""

from app.console.timeline.material import Places, all_places
from shows.document import Cue


def beside(cue: Cue, selection: Places, step: int) -> Places:
    """Return the clip before or after the selected one on its track; the first one at all."""
    if not selection:
        return frozenset(sorted(all_places(cue))[:1])
    t, c = min(selection) if step < 0 else max(selection)
    order = sorted(range(len(cue.tracks[t].clips)), key=lambda i: cue.tracks[t].clips[i].start_s)
    place = min(max(0, order.index(c) + step), len(order) - 1)
    return frozenset(((t, order[place]),))


def above(cue: Cue, selection: Places, step: int) -> Places:
    """Return the clip of the next track with clips that starts nearest to the selected one."""
    if not selection:
        return frozenset(sorted(all_places(cue))[:1])
    t, c = min(selection)
    start_s = cue.tracks[t].clips[c].start_s
    index = t + step
    while 0 <= index < len(cue.tracks):
        clips = cue.tracks[index].clips
        if clips:
            near = min(range(len(clips)), key=lambda i: abs(clips[i].start_s - start_s))
            return frozenset(((index, near),))
        index += step
    return selection
