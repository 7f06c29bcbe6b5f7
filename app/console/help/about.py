"""The program's version, and the names and licences of its libraries."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError, distribution

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from app.console.files.background import Background
from app.console.toolkit.sheet import Sheet

NAME = "footlight"
_REQUIREMENT = re.compile(r"^[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_CLASSIFIER = "License :: "
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A distribution that is used.

    Attributes:
        name: as it calls itself.
        version: as it is installed.
        licence: in its own words, shortened.
    """

    name: str
    version: str
    licence: str


def version() -> str:
    """Return this program's version."""
    try:
        return distribution(NAME).version
    except PackageNotFoundError:
        return "of a source tree"


def parts(root: str = NAME, without: Iterable[str] = ("dev", "lab")) -> list[Part]:
    """Return the installed requirements of a distribution, direct or not, by name.

    Args:
        root: the distribution.
        without: extras of the root that are not part of the program.
    """
    found: dict[str, Part] = {}
    try:
        waiting = _needs(distribution(root), set(without), extras=True)
    except PackageNotFoundError:
        return []
    seen = {_plain(root)}
    while waiting:
        name = waiting.pop()
        if _plain(name) in seen:
            continue
        seen.add(_plain(name))
        try:
            used = distribution(name)
        except PackageNotFoundError:
            continue  # for another system, or an extra that is not installed
        found[_plain(name)] = Part(used.metadata["Name"] or name, used.version, licence(used))
        waiting += _needs(used, set(), extras=False)
    return [found[name] for name in sorted(found)]


def licence(used: Distribution) -> str:
    """Return a distribution's licence: its expression, else its text's first line."""
    metadata = used.metadata  # reads the file each time
    text = _field(metadata, "License-Expression")
    if not text:
        classes = [c for c in metadata.get_all("Classifier") or [] if c.startswith(_CLASSIFIER)]
        text = ", ".join(c.rpartition(" :: ")[2] for c in classes)
    if not text:
        text = _field(metadata, "License").strip().partition("\n")[0]
    return (text[:LONGEST] + "…" if len(text) > LONGEST else text) or "see its own files"


def _needs(used: Distribution, without: set[str], extras: bool) -> list[str]:
    """Return the names of a distribution's requirements."""
    names = []
    for line in used.requires or []:
        extra = _EXTRA.search(line)
        name = _REQUIREMENT.match(line)
        if name and (extra is None or (extras and extra[1] not in without)):
            names.append(name[0])
    return names


def _field(metadata: PackageMetadata, name: str) -> str:
    return metadata[name] or "" if name in metadata else ""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


class AboutSheet(Sheet):
    """The version, the licence, and a list of the libraries.

    Attributes:
        list: name, version and licence of each part.
    """

    def __init__(self) -> None:
        super().__init__(f"Footlight {version()}", width=640, height=520)
        self.add_text(
            "Show control for a humanoid performer. Licensed under the Apache License 2.0. "
            f"The window is drawn by Qt {qVersion()}, used under the LGPL 3 as a library that "
            "may be replaced by another build of it."
        )
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Uses", "Version", "Licence"])
        self.list.setRootIsDecorated(False)
        self.list.setAlternatingRowColors(True)
        self.list.setAccessibleName("What is used, and its licences")
        self.list.setToolTip("Every package that this installation runs with")
        self.list.addTopLevelItem(QTreeWidgetItem(["looking…"]))
        self._background = Background(self)  # the licences are in some fifty files
        self._background.run(parts, self._fill, lambda _: self._fill([]))
        self.closed.connect(self._background.close)
        self.body.addWidget(self.list, 1)
        self.add_button("Close", tip="Close this page", chief=True)

    def _fill(self, found: list[Part]) -> None:
        self.list.clear()
        for part in found or [Part("unknown", "", "this is no installed program")]:
            self.list.addTopLevelItem(QTreeWidgetItem([part.name, part.version, part.licence]))
        for column in range(2):
            self.list.resizeColumnToContents(column)

    def first_focus(self) -> QWidget:
        """Return the list, which the arrow keys move."""
        return self.list
