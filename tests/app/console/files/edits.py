"""A console that edits until it is killed: run as a process of its own by the tests."""

import sys
from pathlib import Path

import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.console.context.document import Document
from app.console.context.notices import Notices
from app.console.files.keeper import Keeper
from app.console.files.saver import read
from tests.app.console.files.rig import robot


def main(state: Path, path: Path) -> int:
    """Open a show, and rename it twenty times a second, telling each name."""
    application = QApplication([])
    document = Document()
    keeper = Keeper(document, Notices(), state / "journal")
    found = read(path, robot())
    keeper.stamp = found.stamp
    document.open(found.loaded.show, path, found.loaded.motions, {}, path)
    timer = QTimer()

    def edit() -> None:
        count = document.undo.count() + 1
        document.edit(str(count), msgspec.structs.replace(document.show, name=str(count)))
        print(count, flush=True)

    timer.timeout.connect(edit)
    timer.start(50)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
