"""The answer to a console's question about the torques of a motion."""

import numpy as np

from core.link.torque import TorqueAnswer, TorqueQuestion
from core.stage.body import PreflightBody
from core.stage.torques import torques
from devices.interface import Floats

AT_REST_RAD_S = 1e-3  # slower joints have no dry friction: its sign would be that of noise
DECIMALS = 4


def answer_torques(question: TorqueQuestion, body: PreflightBody) -> TorqueAnswer:
    """Return the torques of a motion, as preflight computes them; or why there are none.

    Velocities and accelerations are central differences of the samples.
    """
    upper, names = body.upper, question.joint_names
    unknown = [name for name in names if name not in upper.index]
    if unknown:
        trouble = f"the robot moves no joint {unknown[0]}"
        return TorqueAnswer(question.sender, question.number, trouble=trouble)
    columns = [upper.index[name] for name in names]
    samples = np.array(question.positions).reshape(-1, len(names))
    q: Floats = np.tile(body.rest_q[list(upper.table_index)], (len(samples), 1))
    q[:, columns] = samples
    dq: Floats = np.gradient(q, axis=0) * question.rate_hz
    ddq = np.zeros_like(q)
    ddq[1:-1] = np.diff(q, 2, axis=0) * question.rate_hz**2
    ddq[0], ddq[-1] = ddq[1], ddq[-2]
    dq[np.abs(dq) < AT_REST_RAD_S] = 0.0
    torque, most = (_flat(values[:, columns]) for values in torques(body, q, dq, ddq))
    return TorqueAnswer(question.sender, question.number, torque, most)


def _flat(values: Floats) -> tuple[float, ...]:
    return tuple(np.round(values, DECIMALS).ravel().tolist())
