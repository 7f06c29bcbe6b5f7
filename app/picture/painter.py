"""Draws the scene graph without a window, into the shared memory."""

from PySide6.QtCore import QSize, QSizeF, QUrl
from PySide6.QtGui import QColor, QOffscreenSurface, QOpenGLContext
from PySide6.QtOpenGL import QOpenGLFramebufferObject
from PySide6.QtQml import QQmlComponent, QQmlEngine
from PySide6.QtQuick import (
    QQuickGraphicsDevice,
    QQuickItem,
    QQuickRenderControl,
    QQuickRenderTarget,
    QQuickWindow,
    QSGRendererInterface,
)

from app.picture.scene_graph import QML, SceneGraph

GL_RENDERER = 0x1F01
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader")
BACKGROUND = "#101214"


class PainterError(Exception):
    """This computer cannot draw the picture; one sentence has the reason."""


class Painter:
    """Owns OpenGL's context and the buffer that a frame is drawn in.

    Attributes:
        renderer: OpenGL's description of itself.

    Raises:
        PainterError: there is no OpenGL, or the scene cannot be built.
    """

    def __init__(self) -> None:
        QQuickWindow.setGraphicsApi(QSGRendererInterface.GraphicsApi.OpenGL)
        self._surface = QOffscreenSurface()
        self._surface.create()
        self._gl = QOpenGLContext()
        if not self._gl.create() or not self._gl.makeCurrent(self._surface):
            raise PainterError("this screen offers no OpenGL")
        self.renderer = str(self._gl.functions().glGetString(GL_RENDERER))
        self._control = QQuickRenderControl()
        self._window = QQuickWindow(self._control)
        self._window.setColor(QColor(BACKGROUND))
        self._window.setGraphicsDevice(QQuickGraphicsDevice.fromOpenGLContext(self._gl))
        if not self._control.initialize():
            raise PainterError("the renderer does not start")
        self._engine = QQmlEngine()
        self._component = QQmlComponent(self._engine, QUrl.fromLocalFile(str(QML)))
        self._root: QQuickItem | None = None
        self._buffer: QOpenGLFramebufferObject | None = None

    def build(self, simple: bool) -> SceneGraph:
        """Return a new, empty scene graph in place of the last one.

        Raises:
            PainterError: the scene cannot be built.
        """
        if self._root is not None:
            self._root.setVisible(False)
            self._root.deleteLater()
        root = self._component.createWithInitialProperties({"simple": simple})
        if not isinstance(root, QQuickItem):
            raise PainterError(f"the scene cannot be built: {self._component.errorString()}")
        root.setParentItem(self._window.contentItem())
        root.setSize(self._window.contentItem().size())
        self._root = root
        return SceneGraph(root, simple)

    def draw(self, width: int, height: int, memory: memoryview) -> None:
        """Draw a frame of a size [pixels] into a slot of the shared memory, top row first."""
        self._gl.makeCurrent(self._surface)
        buffer = self._sized(width, height)
        self._control.polishItems()
        self._control.beginFrame()
        self._control.sync()
        self._control.render()
        self._control.endFrame()
        self._gl.makeCurrent(self._surface)
        image = buffer.toImage(True)
        memory[:] = memoryview(image.constBits())[: len(memory)]

    def close(self) -> None:
        """Release OpenGL's objects in the order that Qt needs."""
        self._gl.makeCurrent(self._surface)
        self._control.invalidate()
        del self._window, self._control
        self._buffer = None
        self._gl.doneCurrent()

    def _sized(self, width: int, height: int) -> QOpenGLFramebufferObject:
        size = QSize(width, height)
        if self._buffer is None or self._buffer.size() != size:
            attachment = QOpenGLFramebufferObject.Attachment.CombinedDepthStencil
            self._buffer = QOpenGLFramebufferObject(size, attachment)
            target = QQuickRenderTarget.fromOpenGLTexture(self._buffer.texture(), size)
            self._window.setRenderTarget(target)
            self._window.setGeometry(0, 0, width, height)
            self._window.contentItem().setSize(QSizeF(size))
            if self._root is not None:
                self._root.setSize(QSizeF(size))
        return self._buffer


def is_software(renderer: str) -> bool:
    """Return whether a renderer is the processor."""
    return any(word in renderer.lower() for word in SOFTWARE)
