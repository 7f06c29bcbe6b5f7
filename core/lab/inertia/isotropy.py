"""Centroidal inertia, and how far it is from that of a reference posture.

The rotational composite inertia is a robot's inertia about its centre of mass, here in the axes of
its base: in the axes of the world, it would change when the whole robot turns.

The centroidal inertia isotropy (CII) is that of S. H. Bang et al., "Control and Evaluation of a
Humanoid Robot with Rolling Contact Knees". One axis that does not change makes it zero, whatever
the others do. The distance between symmetric positive definite matrices has no such blind spot
(V. Arsigny et al., "Geometric Means in a Novel Vector Space Structure on Symmetric
Positive-Definite Matrices", name it affine-invariant).
"""

import numpy as np
import pinocchio as pin

from devices.interface import Floats


def centroidal_inertia(model: pin.Model, data: pin.Data, q: Floats) -> Floats:
    """Return the rotational composite inertia about the centre of mass, in the base's axes.

    Args:
        model: of the robot; links that are fixed to the world do not count.
        data: of the model.
        q: configuration (n_q).

    Returns:
        The inertia (3, 3) [kg·m²].
    """
    pin.ccrba(model, data, q, np.zeros(model.nv))
    inertia: Floats = data.Ig.inertia
    if model.joints[1].nq != 7:
        return inertia.copy()
    axes = data.oMi[1].rotation
    turned: Floats = axes.T @ inertia @ axes
    return turned


def isotropy(inertia: Floats, reference: Floats) -> Floats:
    """Return det(I⁻¹ I₀ - 1), the centroidal inertia isotropy.

    Args:
        inertia: I, one or several (..., 3, 3) [kg·m²].
        reference: I₀ (3, 3) [kg·m²].

    Returns:
        One number for each inertia (...).
    """
    change = np.linalg.solve(inertia, np.broadcast_to(reference, inertia.shape))
    return np.asarray(np.linalg.det(change - np.eye(3)), dtype=np.float64)


def distance(inertia: Floats, reference: Floats) -> Floats:
    """Return ‖log(I₀^-½ I I₀^-½)‖, the Frobenius norm of the change's logarithm.

    Args:
        inertia: I, one or several (..., 3, 3) [kg·m²].
        reference: I₀ (3, 3) [kg·m²].

    Returns:
        One number for each inertia (...).
    """
    moments, axes = np.linalg.eigh(reference)
    whitening = (axes / np.sqrt(moments)) @ axes.T
    ratios = np.linalg.eigvalsh(whitening @ inertia @ whitening)
    found: Floats = np.linalg.norm(np.log(ratios), axis=-1)
    return found


def change_by_axis(inertia: Floats, reference: Floats) -> Floats:
    """Return the change of the moments of inertia about the base's axes.

    Args:
        inertia: one or several (..., 3, 3) [kg·m²].
        reference: (3, 3) [kg·m²].

    Returns:
        Shares of the reference's moments about x, y and z (..., 3).
    """
    moments = np.diagonal(inertia, axis1=-2, axis2=-1)
    changes: Floats = moments / np.diag(reference) - 1.0
    return changes
