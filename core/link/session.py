"""Opening of Zenoh sessions: the core listens, the others connect, without scouting."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import zenoh

from core.link.errors import LinkError
from core.link.topics import Lane, Topic

LOOPBACK = "127.0.0.1"
OPEN_MS = 3000  # timeout of the handshake with a core, which may be frozen
_RETRY_S = 0.05
_PRIORITIES: dict[Lane, zenoh.Priority] = {
    "urgent": zenoh.Priority.REAL_TIME,
    "prompt": zenoh.Priority.INTERACTIVE_HIGH,
    "normal": zenoh.Priority.DATA,
    "bulk": zenoh.Priority.DATA_LOW,
}


def free_endpoint() -> str:
    """Return an endpoint on the loopback interface that is free now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port = probe.getsockname()[1]
    return f"tcp/{LOOPBACK}:{port}"


def endpoint_on(port: int) -> str:
    """Return the endpoint of a port on the loopback interface.

    Raises:
        LinkError: the port is in use.
    """
    endpoint = f"tcp/{LOOPBACK}:{port}"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise LinkError(
                f"port {port} cannot be used ({error.strerror}): choose another, or none", endpoint
            ) from error
    return endpoint


def check_endpoint(endpoint: str) -> None:
    """Refuse an endpoint that other machines could reach.

    Raises:
        LinkError: it is neither on the loopback interface nor a unix socket.
    """
    if endpoint.startswith((f"tcp/{LOOPBACK}:", "unixsock-stream/")):
        return
    raise LinkError(
        f"endpoint {endpoint!r} is not on this machine: use tcp/{LOOPBACK}:PORT "
        "or unixsock-stream/PATH",
        endpoint,
    )


def _config(mode: str, listen: list[str], connect: list[str]) -> zenoh.Config:
    config = zenoh.Config()
    queue = "transport/link/tx/queue"
    for place, value in (
        ("mode", mode),
        ("scouting/multicast/enabled", False),
        ("scouting/gossip/enabled", False),
        ("listen/endpoints", listen),
        ("connect/endpoints", connect),
        ("timestamping/enabled", False),
        # The first large message would create the pool within a tick, and a kill would leave it.
        ("transport/shared_memory/enabled", False),
        # For the same reason queues are allocated when a link opens, not by the first message.
        (f"{queue}/allocation/mode", "init"),
        *((f"{queue}/size/{name}", 16) for name in ("interactive_high", "data", "data_low")),
    ):
        config.insert_json5(place, json.dumps(value))
    return config


def listen(endpoint: str) -> zenoh.Session:
    """Open the core's session.

    Raises:
        LinkError: the endpoint is taken, malformed or not on this machine.
    """
    check_endpoint(endpoint)
    try:
        config = _config("peer", [endpoint], [])
        # A slow listener loses messages; it must not delay the loop.
        drop = "transport/link/tx/queue/congestion_control/drop"
        config.insert_json5(f"{drop}/wait_before_drop", "0")
        config.insert_json5(f"{drop}/max_wait_before_drop_fragments", "0")
        return zenoh.open(config)
    except zenoh.ZError as error:
        raise LinkError(
            f"cannot listen on {endpoint}: another core may be using it, choose another port",
            endpoint,
        ) from error


def connect(
    endpoint: str, timeout_s: float, give_up: Callable[[], bool] = lambda: False
) -> zenoh.Session:
    """Open the session of an operator or a sibling, waiting for the core to listen.

    Raises:
        LinkError: no core listens there within the timeout, or `give_up` returned True.
    """
    check_endpoint(endpoint)
    deadline = time.monotonic() + timeout_s
    config = _config("client", [], [endpoint])
    config.insert_json5("transport/unicast/open_timeout", str(OPEN_MS))
    while True:
        try:
            return zenoh.open(config)
        except zenoh.ZError as error:
            if time.monotonic() >= deadline or give_up():
                raise LinkError(
                    f"no core answers on {endpoint} within {timeout_s:g} s", endpoint
                ) from error
        time.sleep(_RETRY_S)


def publisher(
    session: zenoh.Session, key: str, topic: Topic[Any], lossless: bool = False
) -> zenoh.Publisher:
    """Declare a publisher; `lossless` waits for a slow listener instead of dropping."""
    block = zenoh.CongestionControl.BLOCK
    drop = zenoh.CongestionControl.DROP
    return session.declare_publisher(
        key,
        congestion_control=block if lossless else drop,
        priority=_PRIORITIES[topic.lane],
        express=topic.lane == "urgent",
        reliability=zenoh.Reliability.RELIABLE,
    )


class Codec:
    """Encodes and decodes the messages of one topic; `bytes` passes through."""

    def __init__(self, topic: Topic[Any]) -> None:
        self._raw = topic.type is bytes
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(topic.type)

    def encode(self, message: Any) -> bytes:
        """Return the message as bytes."""
        if self._raw:
            return bytes(message)
        return self._encoder.encode(message)

    def decode(self, payload: bytes) -> Any:
        """Return the message.

        Raises:
            msgspec.DecodeError: the bytes are not a message of this topic.
        """
        return payload if self._raw else self._decoder.decode(payload)
