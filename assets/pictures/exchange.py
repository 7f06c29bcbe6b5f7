"""Photograph import and export: `python assets/pictures/exchange.py OUT [--publish]`.

The console is the real one, operated by keys and mouse; the core is the real one, with the
simulated robot; the screen is a virtual one. The person's motion is the one of the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import SIZES, START_S, Photographer  # noqa: E402
from sessions import photograph, rise  # noqa: E402

PUBLISHED = {"import": (SIZES[1], "import"), "export": (SIZES[1], "export.sheet")}
READ_S = 120.0
PROGRAM, FRAMES = "Blender", 480  # at 120 a second


class ExchangePhotographer(Photographer):
    """Opens a person's motion, and offers a gesture to other programs."""

    def work(self) -> None:
        """Go through both sheets."""
        from app.console.exchange.import_sheet import ImportSheet
        from tests.shows.people import STYLES
        from tests.shows.performance import waving

        window = self.window
        rise(self)
        self.press("Ctrl+Shift+9")
        self.until("have a picture", lambda: window.stage.drawing, START_S)
        path = self.out / "waving.bvh"
        path.write_bytes(waving(next(s for s in STYLES if s.title == PROGRAM), FRAMES))
        window._exchange.take(path)
        sheet = window.sheets.top
        assert isinstance(sheet, ImportSheet)
        self.until("read the file", lambda: sheet.open.isEnabled(), READ_S)
        if not sheet.preview.isChecked():
            sheet.preview.click()
        self.wait(2.0)
        self.photograph("import")
        sheet.dismiss()
        self.wait(0.5)
        self.press("Ctrl+2")
        view = window.gestures.view
        view.setCurrentIndex(view.model().index(view.model().row_of("wave"), 0))
        self.wait(0.5)
        self.press("Ctrl+Shift+E")
        self.wait(1.0)
        self.photograph("export", "sheet")
        window.sheets.top.dismiss()


if __name__ == "__main__":
    sys.exit(photograph(Path(__file__), ExchangePhotographer, PUBLISHED))
