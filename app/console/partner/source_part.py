"""The source of the person's motion: the open port, and the one sender that is heard."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QSpinBox, QWidget

from app.console.partner.section import TIGHT, Section, figures
from app.console.partner.words import (
    PROTOCOLS,
    address,
    refusals,
    source_figures,
    source_state,
)
from app.console.toolkit import theme
from core.link.partner import PairSource, Protocol, SourceReport, UseSource

GROUPED: Protocol = "natnet"  # it may send to a multicast group
SEEN: Protocol = "camera"
NO_CAMERA = "no camera found"
NO_STRANGER = "Pair"
PORT_PX = 66  # of five digits


class SourcePart(Section):
    """Opens a port, and pairs one sender; or opens a camera of the partner's computer.

    Attributes:
        protocol: of the sender.
        port: UDP port to open.
        group: multicast group to join.
        camera: camera to open.
        listen: opens the port or the camera.
        shut: closes it.
        pair: pairs the sender that was heard.
        unpair: listens to nobody.

    Signals:
        ordered: an order to the partner's process.
    """

    ordered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("SOURCE", 2, parent)
        self._source = SourceReport()
        self._keys: tuple[Protocol, ...] = tuple(PROTOCOLS)
        self.protocol, self.port, self.group = QComboBox(), QSpinBox(), QLineEdit()
        self.camera = QComboBox()
        self._cameras: dict[int, str] | None = None
        self._open = ""  # protocol of the source
        self.listen, self.shut = QPushButton("Listen"), QPushButton("Close")
        self.pair, self.unpair = QPushButton(NO_STRANGER), QPushButton("Unpair")
        self._refused = figures("Refused input")
        self._refused.setMinimumHeight(theme.TWO_LINES)  # so that nothing jumps
        self._refused.setAlignment(Qt.AlignmentFlag.AlignTop)
        for title, _ in PROTOCOLS.values():
            self.protocol.addItem(title)
        self.port.setRange(1, 65535)
        self.group.setPlaceholderText("multicast group, if any")
        self.group.setMaxLength(64)
        for widget, name, tip in (
            (self.protocol, "Protocol", "What the sender speaks"),
            (self.port, "UDP port", "The port to which the sender sends"),
            (self.group, "Multicast group", "Address of the group to which the sender sends"),
            (self.camera, "Camera", "A camera of the computer on which the core runs"),
            (self.listen, "Listen", "Open the port, where a sender must be paired, or the camera"),
            (self.shut, "Close the source", "Hear nobody any more"),
            (self.unpair, "Unpair", "Hear nobody until a sender is paired again"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)
        self.protocol.setMinimumContentsLength(6)
        self.port.setFixedWidth(PORT_PX)
        for button in (self.listen, self.shut, self.unpair):
            button.setStyleSheet(TIGHT)
        self.add_row(self.protocol, self.port, self.listen, self.shut, stretch=0)
        self.rows.addWidget(self.group)
        self.rows.addWidget(self.camera)
        self.add_row(self.pair, self.unpair, stretch=0)
        self.rows.addWidget(self._refused)
        self.protocol.currentIndexChanged.connect(self._choose)
        self.listen.clicked.connect(self._listen)
        self.shut.clicked.connect(lambda: self.ordered.emit(UseSource(protocol="")))
        self.pair.clicked.connect(self._pair)
        self.unpair.clicked.connect(lambda: self.ordered.emit(PairSource("")))
        self._choose()
        self._offer({})

    def show_source(self, source: SourceReport) -> None:
        """Show the state of the source."""
        self._source = source
        if source.protocol != self._open:
            self._open = source.protocol
            if self._open in self._keys:
                self.protocol.setCurrentIndex(self._keys.index(self._open))
        self._offer(source.cameras)
        said = source_state(source)
        heard = said.tone is theme.GOOD  # figures of the past would need a third line
        self.say(said, source_figures(source) if heard else "")
        self._refused.setText(refusals(source.refused))
        stranger = source.stranger
        there = bool(source.protocol and stranger[0] and stranger != source.paired)
        words = f"Pair {address(stranger)}" if there else NO_STRANGER
        if self.pair.text() != words:
            self.pair.setText(words)
            self.pair.setAccessibleName(words)
            self.pair.setToolTip(
                "Hear this sender, and no other one"
                if there
                else "No sender was heard that is not paired: start it, and send to this computer"
            )
        self.pair.setEnabled(there)
        self.unpair.setEnabled(bool(source.paired[0]))
        self.shut.setEnabled(bool(source.protocol))

    def _choose(self) -> None:
        """Offer the usual port of the protocol, or the cameras."""
        key = self._keys[self.protocol.currentIndex()]
        self.port.setValue(PROTOCOLS[key][1])
        self.port.setVisible(key != SEEN)
        self.group.setVisible(key == GROUPED)
        self.camera.setVisible(key == SEEN)

    def _offer(self, cameras: dict[int, str]) -> None:
        """Offer these cameras; the chosen one stays if it is there."""
        if cameras == self._cameras:
            return
        self._cameras = cameras
        chosen = self.camera.currentData()
        self.camera.clear()
        for number, name in (cameras or {0: NO_CAMERA}).items():
            self.camera.addItem(f"{number}: {name}" if cameras else name, number)
        self.camera.setCurrentIndex(max(0, self.camera.findData(chosen)))

    def _listen(self) -> None:
        key = self._keys[self.protocol.currentIndex()]
        if key == SEEN:
            self.ordered.emit(UseSource(key, camera=str(self.camera.currentData())))
            return
        group = self.group.text().strip() if key == GROUPED else ""
        self.ordered.emit(UseSource(key, self.port.value(), group))

    def _pair(self) -> None:
        host, port = self._source.stranger
        self.ordered.emit(PairSource(host, port))
