"""Who may speak to the server: this machine's browser, on the page that was opened, and nobody else.

The server listens on the loopback alone. A request is refused, and logged, unless its address begins with the
secret, its ``Host`` is the loopback at our port (else another name could be made to point here), and its
``Origin`` and ``Sec-Fetch-Site``, where it has them, say that our own page sent it. Nothing of a refused
request is read but its head. Pages may load nothing but our own files, and run no script but these.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
MOST_BODY = 2**20
"""Maximum number of bytes of a request; uploads have a limit of their own."""


class Guard:
    """Refuses what our own page did not send, before anything else sees it.

    Parameters
    ----------
    app : callable
        The application behind it.
    secret : str
    port : int
    most_upload : int
        Maximum number of bytes of an upload.
    """

    def __init__(self, app: App, secret: str, port: int, most_upload: int) -> None:
        self.app, self.secret, self.port, self.most_upload = app, secret, port, most_upload
        self.refused = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        reason = "not HTTP" if scope["type"] != "http" else self.objection(scope)
        if reason is not None:
            self.refused += 1
            log.warning("refused %s %s: %s", scope.get("method", "-"), _short(scope.get("path", "")), reason)
            await _refuse(send, 413 if reason == "too large" else 403)
            return
        inner = {
            **scope,
            "path": scope["path"][len(self.secret) + 1 :] or "/",
            "root_path": f"/{self.secret}",
        }
        inner["raw_path"] = inner["path"].encode()
        await self.app(inner, self._bounded(receive, scope), _with_headers(send))

    def objection(self, scope: Message) -> str | None:
        """Return why a request is refused, or None.

        Parameters
        ----------
        scope : mapping
            Of ASGI.
        """
        heads: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            heads.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}", f"[::1]:{self.port}"}
        host = heads.get("host", [])
        if len(host) != 1 or host[0].lower() not in hosts:
            return "a foreign host"
        if any(origin.lower() != f"http://{host[0].lower()}" for origin in heads.get("origin", [])):
            return "a foreign origin"
        if any(site not in {"same-origin", "none"} for site in heads.get("sec-fetch-site", [])):
            return "a foreign site"
        first, _, _ = scope["path"].removeprefix("/").partition("/")
        if not hmac.compare_digest(first.encode(), self.secret.encode()):
            return "a wrong secret"
        if scope["method"] not in {"GET", "HEAD", "POST", "PUT"}:
            return "a method that is not used"
        raw = scope.get("raw_path", b"").lower()
        if b".." in raw or b"%2e" in raw or b"\\" in raw or b"%5c" in raw or b"%00" in raw or b"%2f" in raw:
            return "a path with a trick"
        try:
            length = int(heads.get("content-length", ["0"])[-1])
        except ValueError:
            return "a length that is no number"
        return "too large" if not 0 <= length <= self._most(scope) else None

    def _most(self, scope: Message) -> int:
        return self.most_upload if scope["method"] == "PUT" else MOST_BODY

    def _bounded(self, receive: Receive, scope: Message) -> Receive:
        """Return a receiver that ends a request whose body is longer than it may be."""
        left = self._most(scope)

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                self.refused += 1
                log.warning("refused %s %s: too large", scope["method"], _short(scope["path"]))
                return {"type": "http.disconnect"}
            return message

        return bounded


def _short(path: object) -> str:
    """Return a path for the log, without the secret of anybody and without control characters."""
    text = str(path).partition("/")[2].partition("/")[2]
    return ascii("/…/" + text[:80])


async def _refuse(send: Send, status: int) -> None:
    heads = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": heads})
    await send({"type": "http.response.body", "body": b"refused\n"})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending
