"""The server answers its own page alone: what else comes is refused, logged, and nothing of it is read."""

from __future__ import annotations

import http.client
import json
import logging

import pytest

SECRET = object()
"""Stands for the right secret in a path."""


def ask(server, method="GET", path="/api/start", headers=(), body=None, secret=None, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, f"/{secret or server.guard.secret}{path}", skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    for name, value in headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    try:
        if body is not None:
            connection.send(body)
    except OSError:
        pass  # the server may close the connection before it has read the body
    try:
        response = connection.getresponse()
        return response.status, response.read(), response.headers
    except (http.client.HTTPException, OSError):
        return 0, b"", {}
    finally:
        connection.close()


def test_the_page_itself_is_answered_with_a_strict_policy(server):
    status, page, heads = ask(server, path="/")
    assert status == 200
    assert b"web/main.js" in page
    policy = heads["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"http" not in page.replace(b"Http", b"")
    status, data, _ = ask(server, headers=[("Origin", f"http://127.0.0.1:{server.port}")])
    assert (status, "iris" in json.loads(data)["examples"]) == (200, True)


def hostile():
    """Fifty requests that our own page does not send."""
    for origin in ("http://evil.example", "https://127.0.0.1", "null", "http://127.0.0.1:1", "file://"):
        for method, path in (("GET", "/api/start"), ("POST", "/api/open")):
            yield {"method": method, "path": path, "headers": [("Origin", origin)], "body": b"{}"}
    for host in ("evil.example", "127.0.0.1", "127.0.0.1.evil.example", "localhost.", "[::1]", "0.0.0.0"):
        yield {"host": host}
    for secret in ("wrong", "%00", "..", "api", "web", "SECRET", "-", "a" * 5000):
        yield {"secret": secret}
    for site in ("cross-site", "same-site", "evil"):
        yield {"headers": [("Sec-Fetch-Site", site)]}
    for path in (
        "/web/../serve.py",
        "/web/..%2fserve.py",
        "/web/%2e%2e/serve.py",
        "/web/%2e%2e%2f%2e%2e%2fetc/passwd",
        "/..%5c..%5cwindows",
        "/web/..\\serve.py",
        "/web/....//serve.py",
        "/web/index.html%00.js",
        "/api/table/..%2f..%2fetc/steps",
        "//etc/../passwd",
        "/web/..;/serve.py",
    ):
        yield {"path": path}
    for method in ("DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
        yield {"method": method}
    yield {"method": "PUT", "path": "/api/upload?name=x.csv", "body": b"a" * 200_001}
    yield {"method": "POST", "path": "/api/open", "body": b"[" * (2**20 + 1)}
    for length in ("-1", "many", "9" * 30):
        yield {"method": "POST", "path": "/api/open", "headers": [("Content-Length", length)]}
    yield {"method": "GET", "headers": [("Host", "evil.example")]}
    yield {
        "method": "POST",
        "path": "/api/open",
        "headers": [("Origin", "http://LOCALHOST.evil")],
        "body": b"{}",
    }


def test_fifty_hostile_requests_are_refused_logged_and_read_nothing(server, caplog, tmp_path):
    caplog.set_level(logging.WARNING)
    requests = list(hostile())
    assert len(requests) >= 50
    for one in requests:
        before = server.guard.refused
        status, data, _ = ask(server, **one)
        assert status in {0, 400, 403, 413}, one
        assert b"import" not in data
        assert b"root:" not in data
        assert server.guard.refused > before or status in {0, 400}, one  # 400: refused by the HTTP parser
    assert server.desk.start()["tables"] == []
    assert not (tmp_path / "uploads").exists()
    assert server.guard.secret not in caplog.text
    assert caplog.text.count("refused") >= 40


def test_an_upload_without_a_length_is_ended_where_it_is_too_large(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    chunks = (b"a" * 50_000 for _ in range(10))
    path = f"/{server.guard.secret}/api/upload?name=x.csv"
    try:
        connection.request(
            "PUT", path, body=chunks, encode_chunked=True, headers={"Transfer-Encoding": "chunked"}
        )
        status = connection.getresponse().status
    except OSError:
        status = 0
    finally:
        connection.close()
    assert status in {0, 413}
    assert server.guard.refused == 1
    assert server.desk.start()["tables"] == []


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("loans.csv", "loans.csv"),
        ("../../loans.csv", "loans.csv"),
        ("..\\..\\loans.csv", "loans.csv"),
        ("/etc/loans.csv", "loans.csv"),
        (".hidden.csv", "hidden.csv"),
        ("<script>.csv", "_script_.csv"),
        ("a\x00b.csv", "a_b.csv"),
    ],
)
def test_an_upload_is_kept_in_the_folder_whatever_it_is_called(server, tmp_path, name, kept):
    from urllib.parse import quote

    body = b"age,risk\n" + b"1,a\n2,b\n" * 20
    status, data, _ = ask(server, "PUT", f"/api/upload?name={quote(name, safe='')}", body=body)
    if status == 403:
        assert "/" in name or "\\" in name or "\x00" in name or ".." in name
        return
    assert status == 200, data
    assert [one.name for one in (tmp_path / "uploads").iterdir()] == [kept]


@pytest.mark.parametrize("name", ["", "loans.exe", "..", "loans.csv.py", "."])
def test_an_upload_that_is_no_table_is_refused_in_a_sentence(server, tmp_path, name):
    status, data, _ = ask(server, "PUT", f"/api/upload?name={name}", body=b"a,b\n1,2\n")
    assert status in {400, 403}
    assert not (tmp_path / "uploads").exists() or not list((tmp_path / "uploads").iterdir())
    assert b"Traceback" not in data


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b'{"path": 7}',
        b'{"path": "no/such/file.csv"}',
        b'{"example": "x"}',
        b"\xff",
        b'{"a":1,"a":2}',
    ],
)
def test_a_bad_request_of_the_page_gets_one_sentence(server, body):
    status, data, _ = ask(server, "POST", "/api/open", body=body)
    assert status == 400
    assert json.loads(data)["error"]
