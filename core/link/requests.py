"""Requests of the core to the stagehand, and the stagehand's refusal."""

from typing import Annotated

import msgspec

from core.link.handset import HandsetMap
from core.link.message import Inbound, Outbound, PathText


class ShowRefused(Inbound, frozen=True):
    """The stagehand could not prepare a show; the reason is one sentence."""

    path: PathText
    reason: Annotated[str, msgspec.Meta(max_length=4000)]


class LoadRequest(Outbound, frozen=True):
    """A request of the core to the stagehand to read, check and prepare a show; see `LoadShow`.

    `sender` is the sender name of the requesting operator, empty for the core itself.
    """

    path: str
    keep_standby: bool = False
    sender: str = ""


class KeepHandsetMap(Outbound, frozen=True):
    """A request of the core to the stagehand to save a handset layout; None deletes it."""

    map: HandsetMap | None
