"""Sends orders to a running twin, and prints its answers.

python -P -m devices.twin FOLDER ORDER…
"""

import socket
import sys
from pathlib import Path

from devices.errors import DeviceError
from devices.twin.exchange import ORDERS_SOCKET
from devices.twin.orders import ORDERS

PATIENCE_S = 600.0  # an order may advance the time by much
USAGE = "usage: python -P -m devices.twin FOLDER ORDER, where ORDER begins with one of "


def ask(folder: Path, order: str) -> str:
    """Return a twin's answer to an order.

    Raises:
        DeviceError: no twin runs in that folder, or it ended.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE_S)
        try:
            connection.connect(str(folder / ORDERS_SOCKET))
            connection.sendall(order.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                data = connection.recv(65536)
                if not data:
                    raise DeviceError("twin", "ended before it answered")
                answer += data
        except OSError as error:
            text = f"does not answer in {folder} ({error.strerror or error}); start it first"
            raise DeviceError("twin", text) from None
    return answer.decode(errors="replace").strip()


def main(arguments: list[str]) -> int:
    """Send one order; return the exit status: 2 for refused input."""
    if len(arguments) < 2:
        print(USAGE + ", ".join(ORDERS), file=sys.stderr)
        return 2
    try:
        answer = ask(Path(arguments[0]), " ".join(arguments[1:]))
    except DeviceError as error:
        print(error, file=sys.stderr)
        return 2
    verdict, _, rest = answer.partition(" ")
    if verdict != "ok":
        print(rest, file=sys.stderr)
        return 2
    print(rest or verdict)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
