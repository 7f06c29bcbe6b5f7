"""What the core asks of the stagehand, and the stagehand's refusal."""

from typing import Annotated

import msgspec

from core.link.handset import HandsetMap
from core.link.message import Inbound, Outbound, PathText


class ShowRefused(Inbound, frozen=True):
    """The stagehand could not prepare a show: one sentence says what, where and why."""

    path: PathText
    reason: Annotated[str, msgspec.Meta(max_length=4000)]


class LoadRequest(Outbound, frozen=True):
    """The core asks the stagehand to read, check and prepare a show; see `LoadShow`.

    `sender` is who asked the core, empty where it loads by itself.
    """

    path: str
    keep_standby: bool = False
    sender: str = ""


class KeepHandsetMap(Outbound, frozen=True):
    """The core asks the stagehand to keep a layout of the handset; None: to forget it."""

    map: HandsetMap | None
