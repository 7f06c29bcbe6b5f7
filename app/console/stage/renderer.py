"""The renderer of the picture: a graphics card, the processor, or none."""

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

GL_RENDERER = 0x1F01
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader")


def renderer() -> str | None:
    """Return OpenGL's description of itself; None where there is no OpenGL."""
    surface = QOffscreenSurface()
    surface.create()
    gl = QOpenGLContext()
    if not gl.create() or not gl.makeCurrent(surface):
        return None
    name = gl.functions().glGetString(GL_RENDERER)
    gl.doneCurrent()
    surface.destroy()
    return str(name)


def is_software(name: str) -> bool:
    """Tell whether a renderer is the processor."""
    return any(word in name.lower() for word in SOFTWARE)
