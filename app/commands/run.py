"""Configures a run of the core from the options of a command, and starts it."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.output import COMMAND
from app.commands.robot import profile_of
from app.commands.watch import watch

if TYPE_CHECKING:
    from app.commands.understudy import Understudy
    from core.run.launch import LaunchConfig


class RunError(Exception):
    """The options of a run are refused."""


def configure(
    options: Namespace, endpoint: str | None = None, **particulars: Any
) -> "LaunchConfig":
    """Return the configuration of the core from the options.

    Args:
        options: those of `add_run_options` and `add_body_options`.
        endpoint: where the core listens; None chooses a free port.
        particulars: further fields of the configuration.

    Raises:
        CoreError: the robot, the record's path or a value is refused.
        RunError: options contradict each other or name a file that does not exist.
    """
    from core.link.session import free_endpoint
    from core.record.log_file import check_path
    from core.run.launch import LaunchConfig

    profile = profile_of(options)
    if options.support is not None and options.support not in profile.supports:
        known = ", ".join(profile.supports)
        raise RunError(f"--support is {options.support!r}; {profile.title} has {known}")
    if options.log is not None:
        check_path(options.log)
    if options.body == "sim" and options.ports or options.body != "twin" and options.faults:
        raise RunError("--ports and --faults are for --body twin")
    if options.ports is not None and options.body == "twin" and not options.ports.is_dir():
        raise RunError(f"there is no folder {options.ports}: make it, or leave --ports out")
    if options.faults is not None and not options.faults.is_file():
        raise RunError(f"there is no file {options.faults}")
    try:
        config = LaunchConfig(
            endpoint=endpoint or free_endpoint(),
            robot=profile.name,
            body=options.body,
            ports=_resolved(options.ports),
            faults=_resolved(options.faults),
            calibration=_resolved(getattr(options, "calibration", None)),
            pace=options.pace,
            seed=options.seed,
            support=options.support,
            slope=options.slope,
            friction=options.friction,
            payload_kg=options.payload,
            stepping=options.stepping == "on",
            sound=options.sound or "",
            source=options.source or "",
            siblings=(COMMAND,),
            log=_resolved(options.log),
            **particulars,
        )
        return LaunchConfig.from_json(config.to_json())
    except ValueError as error:
        raise RunError(error) from error


def run(
    config: "LaunchConfig",
    console: bool = False,
    show: Path | None = None,
    understudy: "Understudy | None" = None,
) -> int:
    """Start the core, its siblings and perhaps a console; return the exit status.

    Args:
        config: the core's configuration.
        console: open a console, and keep it open.
        show: the show that the console opens.
        understudy: who plays the person whom the robot follows; None without one.
    """
    from app.keeper import Keeper, console_command, spoken_command
    from core.run.processes import Supervisor

    keeper = None
    if console:
        place = (config.robot, config.endpoint, show)
        keeper = Keeper(console_command(*place), spoken_command(*place))
    return watch(Supervisor(config), config, keeper, understudy)


def _resolved(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
