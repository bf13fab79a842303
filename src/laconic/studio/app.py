"""The addresses of the studio; every answer is JSON or a file, every refusal one sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from laconic.data.documents import parsed
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible
from laconic.studio.desk import Desk
from laconic.studio.leave import KINDS, commands, made, move_text
from laconic.studio.session import Session

log = logging.getLogger(__name__)

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
RequestBody = dict[str, Any]


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the page, by name, with their types; the colours are the report's."""
    found = {}
    for room, folder in (("laconic.studio", "web"), ("laconic.report", "templates")):
        for one in resources.files(room).joinpath(folder).iterdir():
            ending = one.name[one.name.rfind(".") :]
            if ending in TYPES and (folder == "web" or one.name == "report.css"):
                found[one.name] = one.read_bytes(), TYPES[ending]
    return found


def answered(data: Any, status: int = 200) -> Response:
    """Return plain data as JSON."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return Response(text.encode(errors="replace"), status, media_type="application/json")


def build(desk: Desk) -> Starlette:
    """Return the application around a desk.

    Parameters
    ----------
    desk : Desk
    """
    files = page_files()

    def call(work: Callable[[Request, RequestBody], Any]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                body = await _body(request)
                found = await run_in_threadpool(work, request, body)
            except InputError as error:
                return answered({"error": visible(error)}, 400)
            except ClientDisconnect:
                return answered({"error": "the request was too large, or was broken off"}, 413)
            except Exception:
                log.exception("a request broke")
                return answered({"error": "laconic broke; please report it"}, 500)
            return found if isinstance(found, Response) else answered(found)

        return endpoint

    def session(request: Request) -> Session:
        return desk.session(request.path_params["table"])

    def number(request: Request) -> int:
        return int(request.path_params["step"])

    def file(request: Request, _: RequestBody) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            return answered({"error": "there is no such file"}, 404)
        data, kind = files[name]
        return Response(data, media_type=kind)

    def open_table(_: Request, body: RequestBody) -> Any:
        if "example" in body:
            return {"table": desk.open_example(body["example"])}
        return {"table": desk.open_path(body.get("path"))}

    def upload(request: Request, body: RequestBody) -> Any:
        return {"table": desk.upload(request.query_params.get("name", ""), body["bytes"])}

    def profile(request: Request, _: RequestBody) -> Any:
        return desk.profile(request.path_params["table"], request.query_params.get("target"))

    def begin(request: Request, body: RequestBody) -> Any:
        desk.session(request.path_params["table"], fresh=bool(body.get("fresh")))
        return {}

    def steps(request: Request, _: RequestBody) -> Any:
        return history_view(session(request))

    def move(request: Request, body: RequestBody) -> Any:
        key, parent = body.get("key"), body.get("parent")
        if not isinstance(key, str) or not 8 <= len(key) <= 100:
            raise InputError("a move needs a key of its own, of 8 to 100 characters")
        step = session(request).do(parent, body.get("move"), body.get("reason", ""), key)
        return {"step": step.number}

    def look(request: Request, _: RequestBody) -> Any:
        session(request).look_at(number(request))
        return {}

    def reason(request: Request, body: RequestBody) -> Any:
        text = body.get("reason")
        if not isinstance(text, str):
            raise InputError("a reason is a text")
        session(request).set_reason(number(request), text)
        return {}

    def result(request: Request, _: RequestBody) -> Any:
        return session(request).result(number(request))

    def stop(request: Request, _: RequestBody) -> Any:
        session(request).stop(number(request))
        return {}

    def touched(request: Request, body: RequestBody) -> Any:
        against, group, first = body.get("against"), body.get("group"), body.get("first", 0)
        if not isinstance(group, str | None) or not isinstance(first, int):
            raise InputError("a group is the name of a column, and first is a number")
        return session(request).touched(number(request), against, group or None, first)

    def explain(request: Request, body: RequestBody) -> Any:
        return session(request).explain(number(request), body.get("row"), body.get("values", {}))

    def conditions(request: Request, _: RequestBody) -> Any:
        return session(request).conditions(number(request))

    def preview(request: Request, body: RequestBody) -> Any:
        return session(request).preview(number(request), body.get("rule"), body.get("was"))

    def front(request: Request, _: RequestBody) -> Any:
        return session(request).front(number(request))

    def shelf(request: Request, body: RequestBody) -> Any:
        within = body.get("within", 0)
        if not isinstance(within, int | float):
            raise InputError("the distance must be a number")
        return session(request).shelf(number(request), float(within))

    def command_lines(request: Request, _: RequestBody) -> Any:
        return {"commands": commands(session(request), number(request))}

    def leave(request: Request, _: RequestBody) -> Response:
        kind = request.path_params["kind"]
        data = made(session(request), number(request), kind)
        name, media = KINDS[kind]
        return Response(
            data, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'}
        )

    table, step = "/api/table/{table}", "/api/table/{table}/step/{step:int}"
    routes = [
        Route("/", call(file)),
        Route("/web/{name}", call(file)),
        Route("/api/start", call(lambda _, __: desk.start())),
        Route("/api/open", call(open_table), methods=["POST"]),
        Route("/api/upload", call(upload), methods=["PUT"]),
        Route(table, call(profile)),
        Route(f"{table}/begin", call(begin), methods=["POST"]),
        Route(f"{table}/steps", call(steps)),
        Route(f"{table}/move", call(move), methods=["POST"]),
        Route(f"{step}/look", call(look), methods=["POST"]),
        Route(f"{step}/reason", call(reason), methods=["POST"]),
        Route(f"{step}/result", call(result)),
        Route(f"{step}/stop", call(stop), methods=["POST"]),
        Route(f"{step}/touched", call(touched), methods=["POST"]),
        Route(f"{step}/explain", call(explain), methods=["POST"]),
        Route(f"{step}/conditions", call(conditions)),
        Route(f"{step}/preview", call(preview), methods=["POST"]),
        Route(f"{step}/front", call(front)),
        Route(f"{step}/shelf", call(shelf), methods=["POST"]),
        Route(f"{step}/commands", call(command_lines)),
        Route(f"{step}/leave/{{kind}}", call(leave)),
    ]
    return Starlette(routes=routes)


def history_view(session: Session) -> dict[str, Any]:
    """Return all steps of a session, with what they did in words.

    Parameters
    ----------
    session : Session
    """
    found = session.history.to_document()
    steps = session.history.steps
    for view, step in zip(found["steps"], steps, strict=True):
        view["text"] = move_text(step, None if step.parent is None else steps[step.parent])
    return found


async def _body(request: Request) -> RequestBody:
    if request.method == "PUT":
        return {"bytes": await request.body()}
    if request.method != "POST":
        return {}
    data = await request.body()
    try:
        found = parsed(data.decode("utf-8")) if data else {}
    except ValueError as error:
        raise InputError(f"the request is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError("the request must hold names with values")
    return found
