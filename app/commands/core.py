"""`footlight core`: the control core, until it is ended."""

from argparse import Namespace
from typing import Any

from app.commands.options import add_body_options, add_run_options
from app.commands.output import refuse
from app.commands.values import DEFAULT_PORT, whole


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("core", help="run the control core until it is ended")
    parser.set_defaults(perform=perform)
    parser.add_argument(
        "--port",
        type=whole("the port", 1024, 65535),
        help=f"where it listens, on this machine only (default: {DEFAULT_PORT}, or any that is "
        "free if something else listens there)",
    )
    add_run_options(parser)
    add_body_options(parser, real=True)


def perform(options: Namespace) -> int:
    """Run the control core until it is ended."""
    from app.commands.run import RunError, configure, run
    from core.errors import CoreError

    try:
        config = configure(options, endpoint=_endpoint(options), autopilot=False, headless=True)
    except (CoreError, RunError) as error:
        return refuse(error)
    return run(config)


def _endpoint(options: Namespace) -> str:
    """Return where the core listens: where a console looks for it, if that port is free."""
    from core.link.errors import LinkError
    from core.link.session import endpoint_on, free_endpoint

    if options.port is not None:
        return endpoint_on(options.port)
    try:
        return endpoint_on(DEFAULT_PORT)
    except LinkError:
        return free_endpoint()
