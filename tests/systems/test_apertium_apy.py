"""The real APY server of Debian, on loopback; the command line is the oracle."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evenhand.errors import Unknown
from evenhand.systems import translate

pytestmark = [
    pytest.mark.apertium,
    pytest.mark.skipif(
        shutil.which("apertium-apy") is None or shutil.which("apertium") is None,
        reason="the Debian packages apertium and apertium-apy are not installed",
    ),
]

LAUNCHER = Path(__file__).parent / "servers" / "apy_on_loopback.py"
MODES = Path("/usr/share/apertium/modes")


@pytest.fixture(scope="module")
def apy() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        ["/usr/bin/python3", str(LAUNCHER), "-p", str(port), "-j", "1", str(MODES)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            if server.poll() is not None:
                pytest.skip("apertium-apy does not start on this machine")
            try:
                httpx.get(f"{url}/listPairs")
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.mark.parametrize(("source", "target"), [("en", "es"), ("eng", "spa")])
def test_the_service_gives_what_the_command_line_gives(apy: str, source: str, target: str) -> None:
    if not (MODES / "eng-spa.mode").exists():
        pytest.skip("the Apertium pair eng-spa is not installed")
    texts = ["The nurse is here.", "The doctor and the judge.", "I saw the qwertyuiop.", "a & b < c; d=e"]
    spec = f"apertium-apy:{apy}/"
    oracle = translate("apertium", texts, source="en", target="es")
    assert translate(spec, texts, source=source, target=target) == oracle


def test_a_pair_the_service_lacks_is_named_with_those_it_has(apy: str) -> None:
    with pytest.raises(Unknown, match="eu-tlh"):
        translate(f"apertium-apy:{apy}", ["bai"], source="eu", target="tlh")
