"""Triangles from numpy for the graphics card."""

import numpy as np
from PySide6.QtGui import QVector3D
from PySide6.QtQuick3D import QQuick3DGeometry, QQuick3DObject

from app.picture.mesh import Floats32, Integers, Mesh

FLOAT_BYTES = 4
_Attribute = QQuick3DGeometry.Attribute


def body_geometry(mesh: Mesh, colours: Floats32, world: QQuick3DObject) -> QQuick3DGeometry:
    """Return a shaded surface with a colour at each corner (n, 4); `world` owns it."""
    geometry = QQuick3DGeometry(world)
    _fill(
        geometry,
        np.hstack([mesh.positions, mesh.normals, colours]),
        mesh.triangles,
        (
            (_Attribute.Semantic.PositionSemantic, 0),
            (_Attribute.Semantic.NormalSemantic, 3),
            (_Attribute.Semantic.ColorSemantic, 6),
        ),
    )
    return geometry


def paint(geometry: QQuick3DGeometry, positions: Floats32, colours: Floats32) -> None:
    """Replace a geometry by triangles of three corners each, as they are, unlit.

    Args:
        geometry: the geometry to fill.
        positions: of the corners (3 m, 3) [m].
        colours: of the corners (3 m, 4), 0 to 1.
    """
    _fill(
        geometry,
        np.hstack([positions, colours]),
        np.arange(len(positions), dtype=np.int32).reshape(-1, 3),
        ((_Attribute.Semantic.PositionSemantic, 0), (_Attribute.Semantic.ColorSemantic, 3)),
    )
    geometry.update()


def _fill(
    geometry: QQuick3DGeometry,
    vertices: Floats32,
    triangles: Integers,
    columns: tuple[tuple[_Attribute.Semantic, int], ...],
) -> None:
    geometry.clear()
    geometry.setPrimitiveType(QQuick3DGeometry.PrimitiveType.Triangles)
    geometry.setStride(vertices.shape[1] * FLOAT_BYTES)
    for semantic, column in columns:
        geometry.addAttribute(semantic, column * FLOAT_BYTES, _Attribute.ComponentType.F32Type)
    geometry.addAttribute(_Attribute.Semantic.IndexSemantic, 0, _Attribute.ComponentType.U32Type)
    geometry.setVertexData(np.ascontiguousarray(vertices, dtype=np.float32).tobytes())
    geometry.setIndexData(np.ascontiguousarray(triangles, dtype=np.uint32).tobytes())
    places = vertices[:, :3]
    if len(places):
        low, high = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        geometry.setBounds(QVector3D(*low), QVector3D(*high))
