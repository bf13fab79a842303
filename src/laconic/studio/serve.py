"""Running the server: on the loopback alone, at a free port, with a secret in the address."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from laconic.runtime.errors import InputError
from laconic.studio.app import build
from laconic.studio.desk import Desk
from laconic.studio.guard import Guard

MOST_UPLOAD = 2**28
LOOPBACK = "127.0.0.1"


@dataclass
class Server:
    """A studio that is being served.

    Attributes
    ----------
    desk : Desk
    guard : Guard
    port : int
    """

    desk: Desk
    guard: Guard
    port: int
    _server: uvicorn.Server
    _socket: socket.socket

    @property
    def address(self) -> str:
        """The address to open, with the secret; who has it can use the studio."""
        return f"http://{LOOPBACK}:{self.port}/{self.guard.secret}/"

    def run(self) -> None:
        """Serve until Ctrl-C, or until `stop`."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.desk.close()

    def stop(self) -> None:
        """End the server, from another thread."""
        self._server.should_exit = True


def served(desk: Desk, port: int = 0, *, secret: str | None = None, most_upload: int = MOST_UPLOAD) -> Server:
    """Return a server for a desk; it has its port but does not run yet.

    Parameters
    ----------
    desk : Desk
    port : int
        0 for any free one.
    secret : str, optional
        By default a new one.
    most_upload : int
        Maximum number of bytes of an upload.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((LOOPBACK, port))
    except OSError as error:
        bound.close()
        raise InputError(f"cannot listen at port {port}: {error.strerror}; choose another --port") from error
    bound.listen(64)  # who opens the address at once waits for the server
    real = int(bound.getsockname()[1])
    guard = Guard(build(desk), secret or secrets.token_urlsafe(24), real, most_upload)
    config = uvicorn.Config(
        guard,
        log_level="warning",
        access_log=False,  # it would write the secret
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=120,  # a browser does not send a POST again on a connection that was closed
        timeout_graceful_shutdown=1,
    )
    return Server(desk, guard, real, uvicorn.Server(config), bound)


@contextmanager
def in_background(server: Server) -> Iterator[Server]:
    """Run a server in a thread while the context lasts.

    Parameters
    ----------
    server : Server
    """
    thread = threading.Thread(target=server.run, daemon=True, name="laconic studio")
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(5)
