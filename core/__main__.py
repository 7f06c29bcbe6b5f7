"""The composition root: chooses the body, its drivers and the process.

Started as `python -m core ROLE --json CONFIG`, one process for each role. The file is longer than
400 lines because the import contract allows drivers, twin and simulator in this file only: the
doctor's and the technician's access to devices is composed here, too.
"""

import datetime
import importlib.util
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import CoreError
from core.run.launch import LaunchConfig, PlantOrder
from core.run.lifeline import Lifeline

if TYPE_CHECKING:
    from core.robot.profile import Profile
    from core.service.commission.order import CommissionOrder
    from core.service.doctor.facts import Robot
    from core.service.doctor.order import DoctorOrder
    from devices.interface import Body, Handset
    from devices.real.body import RealBody
    from devices.real.calibration import Calibration
    from devices.real.settings import Hardware
    from devices.sim.body import SimulatedBody
    from devices.sim.settings import SimSettings
    from devices.twin.body import TwinBody

DEFAULT_FRICTION = 0.8  # rubber on a stage floor
COMPILE, DOCTOR, COMMISSION, PUPPETEER = "compile", "doctor", "commission", "puppeteer"
PORTS = "/dev/footlight"  # folder of the robot's serial ports, from the udev rules
NOWHERE = "tcp/127.0.0.1:0"  # no link is needed to compile kernels
LIVE_PACKAGES = ("pinocchio", "proxsuite", "daqp", "zenoh", "numba", "mcap", "soundfile")
REHEARSAL_PACKAGES = (*LIVE_PACKAGES, "mujoco")
FAULTS_S = 1.0  # time that a twin runs before the doctor looks, so that early faults have begun


def sim_settings(config: LaunchConfig, profile: "Profile") -> "SimSettings":
    """Return the simulator's settings of robot and room for a launch."""
    from devices.interface import Support
    from devices.sim.description import BODY_FILE, load_description
    from devices.sim.draws import as_plant
    from devices.sim.settings import GripPoint, Pack, SimSettings, Transmission

    def column(field: str) -> tuple[float, ...]:
        return tuple(profile.actuator_column(field).tolist())

    support = Support(profile.chosen_support(config.support))
    battery, imu = profile.battery, profile.imu
    grip = profile.grips[-1] if profile.grips else None
    model = SimSettings(
        model_path=profile.model_path,
        body=load_description(profile.model_path.with_name(BODY_FILE)),
        joint_names=profile.joint_names,
        stall_torque=column("stall_torque"),
        no_load_speed=tuple(profile.no_load_speed().tolist()),
        torque_constant=column("torque_constant"),
        friction_coulomb=column("friction_coulomb"),
        friction_viscous=column("friction_viscous"),
        initial_q=tuple(profile.posture_on(support).tolist()),
        nominal_voltage=profile.supply.nominal_v,
        tick_s=profile.tick_s,
        servos=profile.position_servos,
        servo_kp=tuple(profile.column("kp").tolist()),
        servo_kd=tuple(profile.column("kd").tolist()),
        transmissions=tuple(
            Transmission(motor.joint, tuple(motor.hinges.items()))
            for motor in profile.transmissions
        ),
        contact_geoms=tuple(contact.switches for contact in profile.contacts),
        imu_site=None if imu is None else imu.frame,
        battery=None
        if battery is None
        else Pack(capacity_ah=battery.capacity_ah, resistance_ohm=battery.resistance_ohm),
        grip=None if grip is None else GripPoint(body=grip.body, offset=grip.offset),
        support=support,
        slope_deg=config.slope,
        payload_kg=config.payload_kg,
        friction=DEFAULT_FRICTION if config.friction is None else config.friction,
    )
    drawn = config.plant
    return model if drawn is None else as_plant(model, drawn.seed, drawn.number, drawn.spread)


def simulated_body(config: LaunchConfig, profile: "Profile") -> "SimulatedBody":
    """Return the simulated robot of a launch."""
    from devices.sim.body import SimulatedBody

    return SimulatedBody(sim_settings(config, profile), config.seed, config.pace)


def body_of_launch(config: LaunchConfig, profile: "Profile") -> "tuple[Body, Handset | None]":
    """Return the body of a launch, and the operator's handset if there is one.

    Raises:
        DeviceError: a device is missing, or a file cannot be used.
    """
    if config.body == "sim":
        return simulated_body(config, profile), None
    return wired_body(config, profile)


def robot_unit(config: LaunchConfig, profile: "Profile") -> "tuple[Hardware, Calibration]":
    """Return the hardware of a robot's unit and its calibration; a twin's is assumed.

    Raises:
        DeviceError: a file is missing or cannot be used.
    """
    from core.robot.folders import HARDWARE, robot_folder
    from devices.real.calibration import (
        CALIBRATIONS,
        Calibration,
        find_calibration,
        load_calibration,
    )
    from devices.real.settings import load_hardware

    own = robot_folder(profile.name) / HARDWARE
    hardware = load_hardware(own if config.hardware is None else Path(config.hardware))
    if config.body == "twin":
        today = datetime.date.today()
        return hardware, Calibration.assumed(hardware, profile.name, config.body, today)
    asked = None if config.calibration is None else Path(config.calibration)
    path = asked or find_calibration(CALIBRATIONS, profile.name)
    return hardware, load_calibration(path, profile.name)


def wired_body(
    config: LaunchConfig, profile: "Profile"
) -> "tuple[RealBody | TwinBody, Handset | None]":
    """Return the robot on serial lines, real or twin, and the operator's handset.

    Raises:
        DeviceError: a device is missing, or a file cannot be used.
    """
    from devices.families.native_handset.key import read_key
    from devices.real.calibration import is_absent
    from devices.real.clock import MonotonicTimekeeper
    from devices.real.composition import JointParameters, body_of, ports_of
    from devices.real.handset_fit import handset_of

    hardware, calibration = robot_unit(config, profile)
    folder = Path(config.ports or PORTS)
    ports = ports_of(hardware, folder)
    parameters = JointParameters(
        names=profile.joint_names,
        stall_torque=tuple(profile.actuator_column("stall_torque").tolist()),
        torque_constant=tuple(profile.actuator_column("torque_constant").tolist()),
        kp=tuple(profile.column("kp").tolist()),
        kd=tuple(profile.column("kd").tolist()),
        switches=profile.contact_switches,
    )
    if config.body == "twin":  # its packages are not on the robot's computer
        from devices.twin.body import TwinBody
        from devices.twin.client import TwinTimekeeper
        from devices.twin.composition import KEY

        twin = TwinTimekeeper(folder, config.pace)
        real = body_of(hardware, calibration, parameters, ports, twin)
        return TwinBody(real, twin), handset_of(hardware, ports, KEY)
    key = None
    native = hardware.native_handset
    if native is not None and not is_absent(Path(native.key)):  # else it is not paired
        key = read_key(Path(native.key))
    body = body_of(hardware, calibration, parameters, ports, MonotonicTimekeeper())
    return body, handset_of(hardware, ports, key)


def run_loop(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the core."""
    from core.run.core_process import run

    return run(config, lifeline, body_of_launch)


def run_watchdog(reader: int, loop_pid: int, silence_s: float) -> int:
    """Run the watchdog: kill a silent loop; the power board then opens the contactor."""
    from core.safety.watchdog import main as watch

    return watch(reader, lambda: os.kill(loop_pid, signal.SIGKILL), silence_s)


def run_scribe(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the scribe."""
    from core.record.scribe import run

    return run(config, lifeline)


def run_stagehand(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the stagehand."""
    from core.stage.stagehand import run

    return run(config, lifeline)


def run_recorder(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the recorder of takes."""
    from core.takes.recorder import run
    from devices.microphone import Microphone

    return run(config, lifeline, Microphone())


def run_partner(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the partner."""
    from core.partner.process import run
    from devices.capture.sources import Sources

    return run(config, lifeline, Sources())


def run_voice(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the voice."""
    from core.stage.voice import run
    from devices.speaker import Speaker

    return run(config, lifeline, Speaker(config.sound))


def run_twin(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the twin: every device of the robot on its own serial line, driven by MuJoCo."""
    from core.robot.profile_file import load_profile
    from devices.errors import DeviceError
    from devices.twin.composition import settings_of
    from devices.twin.fault_script import read_script
    from devices.twin.server import run

    if config.ports is None:
        raise DeviceError("twin", "has no folder for its serial lines")
    profile = load_profile(config.robot)
    hardware, calibration = robot_unit(config, profile)
    stiffness, damping = (profile.column(name).tolist() for name in ("kp", "kd"))
    gains = dict(zip(profile.joint_names, zip(stiffness, damping, strict=True), strict=True))
    sim = sim_settings(config, profile)
    switches = profile.contact_switches
    settings = settings_of(hardware, calibration, sim, gains, switches, config.seed)
    try:
        script = (
            () if config.faults is None else read_script(Path(config.faults).read_text("utf-8"))
        )
    except (OSError, UnicodeDecodeError) as error:
        raise DeviceError("twin", f"{config.faults} cannot be read: {error}") from error
    run(settings, Path(config.ports), script, lambda: lifeline.ended)
    return 0


def run_puppeteer(text: str, lifeline: Lifeline) -> int:
    """Play a take or a recording as a source of human motion; return 0 if it was all sent."""
    from core.service.puppeteer.order import PuppeteerOrder
    from devices.capture.puppet import Faults, Performance, Playing
    from devices.capture.puppeteer import play

    order = PuppeteerOrder.from_json(text)
    content = Performance(*order.take()) if order.plays_take else order.recorded()
    playing, faults = Playing(**order.playing()), Faults(**order.faults())
    return play(playing, content, faults, order.address, lambda: lifeline.ended)


def run_compile() -> int:
    """Compile the kernels of the tick before the first start."""
    from core.partner.warm_up import warm_up_partner
    from core.robot.folders import robot_folders
    from core.robot.profile_file import load_profile
    from core.run.warm_up import warm_up

    simulates = importlib.util.find_spec("mujoco") is not None  # the robot's computer has none
    for name in sorted(robot_folders()):
        profile = load_profile(name)
        warm_up(profile)
        warm_up_partner(profile)
        if simulates:
            for plant in (None, PlantOrder(number=0, spread=1.0)):
                simulated_body(LaunchConfig(endpoint=NOWHERE, robot=name, plant=plant), profile)
    return 0


def run_doctor(order: "DoctorOrder") -> int:
    """Run the doctor: print the findings as JSON; the caller judges them."""
    import msgspec

    from core.service.doctor.facts import Machine
    from core.service.doctor.machine import check_machine
    from core.service.doctor.readers import (
        read_clocks,
        read_disk,
        read_kernel,
        read_missing,
        read_rights,
    )
    from core.service.doctor.robot import check_robot
    from devices.outputs import sound_outputs

    live = order.body == "real"
    machine = Machine(
        rights=read_rights(),
        kernel=read_kernel(),
        clocks=read_clocks(),
        disk=read_disk(Path(order.records)),
        sound=sound_outputs(order.sound),
        missing=read_missing(LIVE_PACKAGES if live else REHEARSAL_PACKAGES),
        wanted_output=order.sound,
    )
    findings = check_machine(machine, live)
    if order.body != "sim":
        findings += check_robot(robot_facts(order))
    sys.stdout.buffer.write(msgspec.json.encode(findings))
    return 0


def robot_facts(order: "DoctorOrder") -> "Robot":
    """Return the facts about a robot that no core drives.

    Raises:
        CoreError: there is no such robot.
        DeviceError: its hardware file cannot be used.
    """
    from core.robot.folders import HARDWARE, robot_folder
    from core.robot.profile_file import load_profile
    from core.service.doctor.facts import Battery, CalibrationFacts, Robot
    from devices.errors import DeviceError
    from devices.families.native_handset.key import read_key
    from devices.interface import Timekeeper, Trouble
    from devices.real.calibration import (
        CALIBRATIONS,
        Calibration,
        find_calibration,
        load_calibration,
    )
    from devices.real.clock import MonotonicTimekeeper
    from devices.real.composition import ports_of
    from devices.real.examination import examine_actuators, examine_devices, examine_line
    from devices.real.handset_fit import handset_of
    from devices.real.settings import load_hardware

    profile = load_profile(order.robot)
    hardware = load_hardware(robot_folder(profile.name) / HARDWARE)
    ids = {row.joint: row.id for row in hardware.actuator_rows}
    today = datetime.date.today()
    twin = order.body == "twin"
    try:
        if twin:
            calibration = Calibration.assumed(hardware, profile.name, order.body, today)
        else:
            asked = None if order.calibration is None else Path(order.calibration)
            path = asked or find_calibration(CALIBRATIONS, profile.name)
            calibration = load_calibration(path, profile.name)
        calibration.check(hardware)
        known = CalibrationFacts("", calibration.unit, calibration.date, today)
        ids = {row.joint: row.id for row in calibration.rows}
    except DeviceError as error:
        known = CalibrationFacts(str(error).removeprefix("calibration: "), "", None, today)
    folder = Path(order.ports or PORTS)
    timekeeper: Timekeeper = MonotonicTimekeeper()
    twins_key = b""
    if twin:
        from devices.twin.client import TwinTimekeeper
        from devices.twin.composition import KEY

        timekeeper, twins_key = TwinTimekeeper(folder, "max"), KEY
        timekeeper.wait_until(timekeeper.now_s() + FAULTS_S)
    ports = ports_of(hardware, folder)
    untold: tuple[Trouble, ...] = ()
    native, receiver = hardware.native_handset, hardware.receiver
    key = None
    try:
        if native is not None:
            key = twins_key or read_key(Path(native.key))
    except DeviceError as error:
        untold = (Trouble(error.device, str(error).removeprefix(f"{error.device}: ")),)
    used, unused = (native, receiver) if key is not None else (receiver, native)
    spare = "" if used is None or unused is None else unused.line
    handset = handset_of(hardware, ports, key)
    try:
        for port in ports.values():
            port.read(timekeeper.now_s())  # opens the port
        actuators = examine_actuators(hardware, ids, ports, timekeeper)
        switches = profile.contact_switches
        names = profile.joint_names
        heard = examine_devices(hardware, ports, handset, names, switches, timekeeper)
        packs, limits = hardware.batteries, profile.battery
        monitored = () if packs is None else packs.packs
        measures = any(ports[pack.line].descriptor >= 0 for pack in monitored)
        sample = heard.sample
        battery = None
        if measures and limits is not None:
            volts, charge = sample.battery_v, sample.battery_charge
            battery = Battery(volts, charge, limits.low_v, limits.low_charge)
        hears = used is not None and ports[used.line].descriptor >= 0
        there = (("battery", packs is not None, measures), ("handset", used is not None, hears))
        # Last, so that a plug that was pulled meanwhile is reported.
        lines = tuple(
            examine_line(port, timekeeper.now_s(), spare=name == spare)
            for name, port in ports.items()
        )
        return Robot(
            lines=lines,
            actuators=actuators,
            tried_firmware=tuple(
                version for table in hardware.actuators.values() for version in table.firmware
            ),
            motors_on=heard.motors_on,
            calibration=known,
            troubles=untold + heard.troubles,
            plates=heard.plates,
            channels=heard.channels,
            battery=battery,
            handset=heard.handset if hears else None,
            unseen=tuple(name for name, has, looks in there if has and not looks),
        )
    finally:
        for port in ports.values():
            port.close()


def unit_in_work(
    order: "CommissionOrder", profile: "Profile", hardware: "Hardware"
) -> "tuple[Calibration, Path | None]":
    """Return the calibration that a technician edits, and its file; None saves nothing.

    Raises:
        DeviceError: no file exists and a new one is not requested, or the file cannot be used.
    """
    from devices.real.calibration import (
        CALIBRATIONS,
        Calibration,
        calibration_path,
        find_calibration,
        is_absent,
        load_calibration,
    )

    today = datetime.date.today()
    twin = order.body == "twin"
    path = None if order.calibration is None else Path(order.calibration)
    if path is None and twin:
        return Calibration.assumed(hardware, profile.name, order.body, today), None
    if path is None and order.unit is not None:
        path = calibration_path(CALIBRATIONS, profile.name, order.unit)
    unit = order.unit or ("twin" if twin else None)
    if path is not None and is_absent(path) and unit is not None:
        return Calibration.begun(hardware, profile.name, unit, today), path
    if path is None and order.action in ("scan", "supply") and not any(CALIBRATIONS.glob("*.toml")):
        return Calibration.begun(hardware, profile.name, "new", today), None
    path = path or find_calibration(CALIBRATIONS, profile.name)
    return load_calibration(path, profile.name), path


def run_commission(order: "CommissionOrder") -> int:
    """Run a technician's action on the buses; return 0 on success.

    Raises:
        CoreError: there is no such robot.
        DeviceError: a device is missing or does not fit; saved values stay saved.
    """
    from core.robot.folders import HARDWARE, robot_folder
    from core.robot.model import joint_axes, joint_limits
    from core.robot.profile_file import load_profile
    from core.service.commission import dialogue
    from core.service.commission.posture import posture_of
    from devices.families.boards.supply_watch import watch_supply
    from devices.interface import Timekeeper
    from devices.real.calibration import save_calibration
    from devices.real.clock import MonotonicTimekeeper
    from devices.real.composition import ports_of
    from devices.real.fitting import Fitting
    from devices.real.settings import load_hardware

    def say(text: str) -> None:
        print(text, flush=True)

    def ask(text: str) -> bool:
        say(text)
        return sys.stdin.readline() != ""

    def supply_key() -> bool | None:
        keys = sys.stdin.fileno()
        if not select.select([keys], (), (), 0.0)[0]:
            return False
        return True if os.read(keys, 4096) else None

    profile = load_profile(order.robot)
    hardware = load_hardware(robot_folder(profile.name) / HARDWARE)
    today = datetime.date.today()
    twin = order.body == "twin"
    calibration, path = unit_in_work(order, profile, hardware)
    posture = posture_of(order, profile)
    folder = Path(order.ports or PORTS)
    timekeeper: Timekeeper = MonotonicTimekeeper()
    if twin:
        from devices.twin.client import TwinTimekeeper

        timekeeper = TwinTimekeeper(folder, "real" if order.action == "supply" else "max")
        timekeeper.wait_until(timekeeper.now_s() + FAULTS_S)
    ports = ports_of(hardware, folder)
    fitting = Fitting(hardware, calibration, ports, timekeeper, today)

    def keep() -> None:
        if path is not None:
            save_calibration(fitting.calibration, path)

    try:
        match order.action:
            case "scan":
                return int(not dialogue.scan(fitting, order.names, say))
            case "look":
                bounds = zip(*joint_limits(profile), strict=True)
                limits = dict(zip(profile.joint_names, bounds, strict=True))
                return int(not dialogue.look(fitting, order.names, limits, say))
            case "supply":
                say("Enter switches the motors' supply on, Ctrl-C switches it off and ends")
                joints, switches = profile.joint_names, profile.contact_switches
                watch_supply(hardware, ports, joints, switches, timekeeper, say, supply_key)
                return 0
            case "sign":
                ways = dialogue.ways_of(joint_axes(profile))
                done = dialogue.take_signs(fitting, order.names, ways, say, ask, keep)
            case "zero":
                done = dialogue.take_zeros(fitting, order.names, posture, say)
                keep()
            case "id":
                done = dialogue.give_id(fitting, order, say)
                keep()
    finally:
        for port in ports.values():
            port.close()
    kept = "a twin's calibration is saved only in a file that --calibration names"
    say(f"saved in {path}" if path is not None else kept)
    return int(not done)


ROLES: dict[str, Callable[[LaunchConfig, Lifeline], int]] = {
    "loop": run_loop,
    "scribe": run_scribe,
    "stagehand": run_stagehand,
    "recorder": run_recorder,
    "partner": run_partner,
    "voice": run_voice,
    "twin": run_twin,
}
ANY_ROLE = (*ROLES, DOCTOR, COMMISSION, PUPPETEER)
USAGE = "python -m core ROLE --json CONFIG, with ROLE one of " + ", ".join(ANY_ROLE)


def main(arguments: list[str]) -> int:
    """Run one process of the core; return its exit status: 2 means refused input."""
    # One thread in each process: at this size more threads disturb each other.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    from core.run.core_process import WATCHDOG

    if len(arguments) == 4 and arguments[0] == WATCHDOG:
        return run_watchdog(int(arguments[1]), int(arguments[2]), float(arguments[3]))
    if arguments == [COMPILE]:
        return run_compile()
    lifeline = Lifeline()
    if len(arguments) != 3 or arguments[0] not in ANY_ROLE or arguments[1] != "--json":
        print(f"usage: {USAGE}", file=sys.stderr)
        return 2
    from devices.errors import DeviceError

    try:
        if arguments[0] == DOCTOR:
            from core.service.doctor.order import DoctorOrder

            return run_doctor(DoctorOrder.from_json(arguments[2]))
        if arguments[0] == PUPPETEER:
            return run_puppeteer(arguments[2], lifeline)
        if arguments[0] == COMMISSION:
            from core.service.commission.order import CommissionOrder

            # A technician may leave by Ctrl-C; each value is saved completely.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            return run_commission(CommissionOrder.from_json(arguments[2]))
        return ROLES[arguments[0]](LaunchConfig.from_json(arguments[2]), lifeline)
    except (CoreError, DeviceError) as error:
        print(error, file=sys.stderr)
        if arguments[0] == COMMISSION and isinstance(error, DeviceError):
            from core.service.commission.process import GONE

            return GONE if error.device == "twin" else 2
        return 2


if __name__ == "__main__":
    status = main(sys.argv[1:])
    if status:
        # The last message of a process is for the operator; at an orderly exit the bindings of a
        # solver, which find living objects after an error, would print after it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
