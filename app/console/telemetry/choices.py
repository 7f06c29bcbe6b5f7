"""The choice of layouts and plots, for every window that has plots."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtWidgets import QComboBox, QMenu

from app.console.telemetry.layouts import Layout
from app.console.telemetry.traces import Trace, presets_of
from core.link.hello import Hello


def fill_layouts(
    box: QComboBox, known: Collection[str], hello: Hello, saved: Mapping[str, Layout]
) -> None:
    """Offer the robot's layouts and the saved ones; the chosen one stays."""
    present = box.currentText()
    box.clear()
    for name, keys in presets_of(known, hello).items():
        box.addItem(name, Layout(keys))
    for name, layout in sorted(saved.items()):
        box.addItem(f"★ {name}", layout)
    if present:
        box.setCurrentText(present)


def fill_plots(
    menu: QMenu, traces: Mapping[str, Trace], hello: Hello, add: Callable[[str], None]
) -> None:
    """Offer the plots, those of joints in a menu of their limb; `add` takes the key."""
    menu.clear()
    menus: dict[str, QMenu] = {}
    titles = {limb.name: limb.title or limb.name for limb in hello.limbs}
    limbs = {
        joint.replace("_", " "): titles.get(limb, "Joints")
        for joint, limb in zip(hello.joint_names, hello.joint_limbs, strict=False)
    }
    for key, trace in traces.items():
        name = limbs.get(key.rpartition(" ")[0], "Body and system")
        if name not in menus:
            menus[name] = menu.addMenu(name)
        action = menus[name].addAction(trace.title)
        action.triggered.connect(lambda _=False, key=key: add(key))
