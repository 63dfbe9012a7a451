"""Servers that lie, drip, flood and nest: a sentence and an end, within limits of size and time."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
import time
import warnings
import zlib

import pytest
from tests.faults.hostile import Hostile, endless, reply

from evenhand.errors import BadInput, BadReply, Caution, SystemFailed
from evenhand.systems import Dispatcher, Request, Retries, blocking, open_system
from evenhand.systems.dispatch import Retries as Waits
from evenhand.systems.http import Http
from evenhand.systems.protocol import TryAgain
from evenhand.systems.replies import LARGEST, LARGEST_PACKED, retry_after

ONCE = Retries(tries=1)
MIB = 2**20


def ask(server: Hostile, *, timeout: float = 20.0, retries: Retries = ONCE) -> str:
    """Any adapter will do: all of them use the one HTTP layer."""
    system = open_system(f"apertium-apy:{server.url}", timeout=timeout)
    system.__dict__["_modes"] = {}  # the server's list of pairs is not what is asked for here
    requests = [Request("x", "en", "es")]
    return blocking(lambda: Dispatcher(system, retries=retries).run(requests))[0].text


CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))  # no fault of ours takes the machine with it
from evenhand.errors import SystemFailed
from evenhand.systems import Dispatcher, Request, Retries, blocking, open_system
system = open_system(f"openai:model", base_url=sys.argv[1], timeout=20.0)
try:
    blocking(lambda: Dispatcher(system, retries=Retries(tries=1)).run([Request("x", "en", "es")]))
except SystemFailed as error:
    print(str(error)[:400])
# not getrusage: what it tells begins with what the parent held
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def asked_apart(server: Hostile) -> tuple[str, int]:
    """What a process of its own says about the server, and the MiB it came to hold."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, server.url], capture_output=True, text=True, check=True, timeout=60
    )
    *said, held = done.stdout.strip().split("\n")
    return "\n".join(said), int(held)


def test_a_body_without_end_is_left_when_it_is_too_large() -> None:
    flood = endless(reply(length=3 * 2**30, Content_Type="application/json") + b'{"a": "', b"x" * MIB, times=3 * 2**10)
    with Hostile(flood) as server:
        said, held = asked_apart(server)
        assert "more than" in said
        assert server.ended.wait(20)
    assert server.sent < LARGEST_PACKED + 32 * MIB  # the rest lies in the sockets' buffers
    assert held < 600


def test_a_small_packed_reply_does_not_unpack_into_gigabytes() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(b"\0" * MIB) for _ in range(512)) + packer.flush()
    with Hostile([reply(bomb, Content_Encoding="gzip")]) as server:
        said, held = asked_apart(server)
    assert len(bomb) < MIB
    assert "more than" in said
    assert held < 600


@pytest.mark.parametrize("kind", ["gzip, gzip", "zstd", "br", "x-unheard-of"])
def test_a_packing_nobody_asked_for_is_refused(kind: str) -> None:
    with Hostile([reply(gzip.compress(b"{}"), Content_Encoding=kind)]) as server, pytest.raises(BadReply, match="pack"):
        ask(server)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "identity"])
def test_a_usual_packing_is_read(encoding: str) -> None:
    body = json.dumps({"responseData": {"translatedText": "hola"}}).encode()
    packed = {"gzip": gzip.compress(body), "deflate": zlib.compress(body), "identity": body}[encoding]
    with Hostile([reply(packed, Content_Encoding=encoding)]) as server:
        assert ask(server) == "hola"


def test_a_reply_that_is_no_gzip_is_a_bad_reply() -> None:
    with Hostile([reply(b"not packed at all", Content_Encoding="gzip")]) as server, pytest.raises(BadReply):
        ask(server)


def test_a_dripping_server_is_left_for_good_when_the_time_is_over() -> None:
    """Also by the thread that reads: it does not go on behind the time-out."""

    class Drip:
        def __iter__(self):  # type: ignore[no-untyped-def]
            yield reply(length=10**6)
            for _ in range(600):
                time.sleep(0.05)
                yield b" "

    with Hostile(Drip()) as server:
        with pytest.raises(SystemFailed, match=r"within 0\.5 s"):
            ask(server, timeout=0.5)
        assert server.ended.wait(15), "the connection is still read"  # the drip lasts 30 s
    assert not [thread for thread in threading.enumerate() if thread.name == "evenhand-call" and thread.is_alive()]


@pytest.mark.parametrize("sign", [b"<", b"<script", b"<style><", b"</script"])
def test_megabytes_of_brackets_are_told_in_one_line(sign: bytes) -> None:
    with Hostile([reply(sign * (4 * MIB // len(sign)), Content_Type="text/html")]) as server:
        said, _ = asked_apart(server)
    assert "not JSON" in said
    assert len(said) < 400


@pytest.mark.parametrize("charset", ["zlib", "punycode", "utf-7", "base64", "idna", "\xff"])
def test_a_charset_a_server_claims_runs_no_decoder(charset: str) -> None:
    with (
        Hostile([reply(b"<html>no</html>", Content_Type=f"text/html; charset={charset}")]) as server,
        pytest.raises(BadReply, match="not JSON: no"),
    ):
        ask(server)


@pytest.mark.parametrize(
    "body", [b"[" * 200_000, b'{"a":' * 200_000, b"9" * 5_000, b'{"responseData":' * 900 + b"}" * 900]
)
def test_json_nested_without_end_is_a_bad_reply(body: bytes) -> None:
    with Hostile([reply(body)]) as server, pytest.raises(BadReply):
        ask(server)


@pytest.mark.parametrize("path", ["/listPairs"])
def test_what_a_server_says_about_itself_has_the_same_limits(path: str) -> None:
    http = Http("some-system", timeout=5)
    for body in (b"[" * 200_000, b"\xff\xfe", b"9" * 5_000):
        with Hostile([reply(body)]) as server:
            assert http.get_json(f"{server.url}{path}", tries=1) is None
    flood = endless(reply(length=2**30), b" " * MIB, times=2**10)
    with Hostile(flood) as server, pytest.raises(SystemFailed, match="more than"):
        http.get_json(f"{server.url}{path}", tries=1)


@pytest.mark.parametrize(
    "value",
    [
        "Fri, 31 Dec 1999 23:59:59 +99999999999999999999",
        "Fri, 31 Dec 1999 23:59:59 -999999999",
        "Fri, 31 Dec 0001 00:00:00 +2359",
        "Fri, 31 Dec 9999 23:59:59 -2359",
        "Fri, 31 Feb 99999999999999999999 00:00:00 GMT",
        "1e999", "nan", "-inf", "٣", "\x00", "9" * 10_000,
    ],
)  # fmt: skip
def test_a_retry_after_nobody_can_read_is_none_or_a_number(value: str) -> None:
    seconds = retry_after(value)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize("value", ["0", "-5", "Fri, 31 Dec 1999 23:59:59 GMT", "0.0001"])
def test_a_retry_after_of_nothing_does_not_spend_all_tries_at_once(value: str) -> None:
    """Without a floor six tries were over in a hundredth of a second."""
    waits = Waits(tries=6)
    failure = TryAgain("busy", after=retry_after(value))
    slept = [waits.wait(tried, failure) for tried in range(1, 6)]
    assert all(one is not None and one >= waits.first * 2.0 ** (n) / 2 for n, one in enumerate(slept))


def test_a_server_that_says_at_once_again_is_asked_with_pauses() -> None:
    with Hostile([reply(b"{}", status="429 Too Many Requests", Retry_After="0")]) as server:
        started = time.monotonic()
        with pytest.raises(SystemFailed, match="asked 4 times"):
            ask(server, retries=Retries(tries=4, first=0.2, longest=1.0))
        assert time.monotonic() - started >= (0.2 + 0.4 + 0.8) / 2
    assert server.asked == 4


@pytest.mark.parametrize("url", ["translate.example.org", "translate.example.org:5000/x", "me:secret-8231@example.org"])
def test_an_address_without_a_scheme_sends_no_key_in_the_clear(url: str) -> None:
    with pytest.raises(BadInput, match=r"https://") as raised:
        Http("some-system").base(url)
    assert "secret-8231" not in str(raised.value)


def test_a_key_that_would_go_out_in_the_clear_is_told_before_it_does() -> None:
    for url, warned in (("http://192.0.2.1:9", True), ("http://127.0.0.1:9", False)):
        http = Http("some-system", timeout=0.2)
        http.guard("key-8231")
        base = http.base(url)
        with warnings.catch_warnings(record=True) as cautions:
            warnings.simplefilter("always")
            with pytest.raises(SystemFailed):
                http.get_json(base, tries=1)
        told = [str(one.message) for one in cautions if one.category is Caution]
        assert told == (["some-system: the key goes to 192.0.2.1 unencrypted (http://)"] if warned else [])


@pytest.mark.parametrize("url", ["localhost:5000", "127.0.0.1:5000", "[::1]:5000"])
def test_an_address_on_this_machine_needs_no_scheme(url: str) -> None:
    assert Http("some-system").base(url) == f"http://{url}"


@pytest.mark.parametrize(
    "url",
    ["http://me:secret-8231@host:port/", "ftp://me:secret-8231@host", "http://me:secret-8231@", "me:secret-8231@h\x00"],
)
def test_an_address_that_is_none_is_told_without_its_password(url: str) -> None:
    with pytest.raises(BadInput) as raised:
        Http("some-system").base(url)
    assert "secret-8231" not in str(raised.value)
    assert "secret-8231" not in repr(raised.value.__cause__)


def test_limits_leave_room_for_what_services_really_send() -> None:
    assert LARGEST >= LARGEST_PACKED >= 8 * MIB
