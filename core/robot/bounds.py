"""The bounds of each kind of number in a profile.

The ranges cover any humanoid that one person can lift or push, with room for tuning. They
exclude values that are wrong by a factor of 1000, as after a mistake in the unit.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta

# General

Fraction: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Scale: TypeAlias = Annotated[float, Meta(ge=0.1, le=10.0)]
Degrees: TypeAlias = Annotated[float, Meta(ge=-360.0, le=360.0)]

# Supply and actuators

Volts: TypeAlias = Annotated[float, Meta(gt=0.0, le=100.0)]
AmpereHours: TypeAlias = Annotated[float, Meta(gt=0.0, le=200.0)]
Ohms: TypeAlias = Annotated[float, Meta(ge=0.0, le=5.0)]
Torque: TypeAlias = Annotated[float, Meta(gt=0.0, le=200.0)]  # [N·m]
TorqueConstant: TypeAlias = Annotated[float, Meta(gt=0.0, le=50.0)]  # [N·m/A]
SpeedConstant: TypeAlias = Annotated[float, Meta(gt=0.0, le=500.0)]  # [rpm/V]
CoulombFriction: TypeAlias = Annotated[float, Meta(ge=0.0, le=5.0)]  # [N·m]
ViscousFriction: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]  # [N·m·s/rad]
MotorRatio: TypeAlias = Annotated[float, Meta(ge=-500.0, le=500.0)]
JointStiffness: TypeAlias = Annotated[float, Meta(ge=0.0, le=5000.0)]  # [N·m/rad]
JointDamping: TypeAlias = Annotated[float, Meta(ge=0.0, le=500.0)]  # [N·m·s/rad]

# Lengths [m], times [s], speeds [m/s], [rad/s] and accelerations [m/s²], [rad/s²]

Length: TypeAlias = Annotated[float, Meta(ge=-3.0, le=3.0)]
SoleLength: TypeAlias = Annotated[float, Meta(ge=-0.5, le=0.5)]
Apex: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.3)]
Reach: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Height: TypeAlias = Annotated[float, Meta(gt=0.0, le=2.0)]
Margin: TypeAlias = Annotated[float, Meta(ge=0.0, le=0.1)]
Tick: TypeAlias = Annotated[float, Meta(ge=1e-4, le=1e-2)]
StepTime: TypeAlias = Annotated[float, Meta(ge=0.2, le=1.0)]
QuickStepTime: TypeAlias = Annotated[float, Meta(ge=0.15, le=1.0)]
LoadTime: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Pause: TypeAlias = Annotated[float, Meta(ge=0.0, le=2.0)]
RiseTime: TypeAlias = Annotated[float, Meta(gt=0.0, le=15.0)]
Speed: TypeAlias = Annotated[float, Meta(gt=0.0, le=3.0)]
Offset: TypeAlias = Annotated[float, Meta(ge=-0.2, le=0.2)]
YawRate: TypeAlias = Annotated[float, Meta(gt=0.0, le=5.0)]
Acceleration: TypeAlias = Annotated[float, Meta(gt=0.0, le=20.0)]

# Estimator: continuous noise densities and forces [N]

GyroNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.5)]
AccelNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
GyroBiasNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.01)]
AccelBiasNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.1)]
GyroBias: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.05)]
AccelBias: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.5)]
ContactNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.3)]
KinematicsNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.1)]
GyroRestNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.01)]
SoleHeadingNoise: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.01)]
ContactForce: TypeAlias = Annotated[float, Meta(gt=0.0, le=1000.0)]

# Adaptation

HeightRate: TypeAlias = Annotated[float, Meta(ge=0.0, le=20.0)]  # [1/s]
LearningRate: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Mass: TypeAlias = Annotated[float, Meta(gt=0.0, le=50.0)]  # [kg]
Rate: TypeAlias = Annotated[float, Meta(gt=0.0, le=1000.0)]  # [1/s]
SmallAngle: TypeAlias = Annotated[float, Meta(ge=0.0, le=0.3)]  # [rad]
TorquePerAngle: TypeAlias = Annotated[float, Meta(gt=0.0, le=1000.0)]  # [N·m/rad]

# Controller

Pole: TypeAlias = Annotated[float, Meta(gt=0.0, le=100.0)]  # [1/s]
Stiffness: TypeAlias = Annotated[float, Meta(ge=0.0, le=10_000.0)]  # [1/s²]
Damping: TypeAlias = Annotated[float, Meta(ge=0.0, le=500.0)]  # [1/s]
FirmWeight: TypeAlias = Annotated[float, Meta(gt=0.0, le=50_000.0)]
Weight: TypeAlias = Annotated[float, Meta(ge=0.0, le=2000.0)]
YieldingWeight: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0)]
SmallWeight: TypeAlias = Annotated[float, Meta(ge=0.0, le=10.0)]
Regularisation: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.02)]
Friction: TypeAlias = Annotated[float, Meta(gt=0.0, le=2.0)]
LeastForce: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0)]  # [N]
LargestForce: TypeAlias = Annotated[float, Meta(gt=0.0, le=3000.0)]  # [N]
Accuracy: TypeAlias = Annotated[float, Meta(gt=0.0, le=1e-4)]
