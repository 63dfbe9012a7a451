"""Speed of the dispatcher and the translation memory. Run: python benchmarks/dispatch.py [--texts 100000]

1. Overhead: 100,000 different texts through a translator that answers at once, into a fresh memory, with rates and
   peak memory. (The whole audit has 15 s for as many probes on 2 cores.)
2. Throughput: a local server that takes 100 ms a call of 50 texts, 8 calls at once, in a process of its own; the ideal
   is 8 * 50 / 0.1 s = 4,000 texts a second. Wanted: at least 90 %.
   Beside it a plain loop that asks the same server, one call after the other.
3. Second run: the same 100,000 texts answered wholly from the memory. Wanted: at least 20,000 texts a second.

A call has five hand-overs between threads of the two processes. On a machine that is busy with other work each waits
for its turn: with 15 other processes on 2 cores the clock shows 60 to 70 %. Fewer hand-overs would help. To see what is
ours, give the benchmark precedence, as root: chrt -f 5 python benchmarks/dispatch.py (93 to 95 % on that machine).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from benchmarks.ratios import Cost, beside, figure

from evenhand.systems import Answer, Batch, Dispatcher, Limits, Memory, Request, System, open_system

DELAY, SIZE, AT_ONCE = 0.1, 50, 8
PLAIN_CALLS = 40  # of a plain loop: four seconds of waiting


class Instant:
    """Answers at once, in batches of the size a REST service takes."""

    name, fingerprint = "instant", "instant-1"
    batch = Batch(texts=SIZE, characters=10_000, concurrency=AT_ONCE)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [Answer("He is " + request.text) for request in requests]


class Handler(BaseHTTPRequestHandler):
    """LibreTranslate's wire format with a fixed time a call, the reading of the request included."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._send(404, {})

    def do_POST(self) -> None:
        began = time.perf_counter()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [text.upper() for text in body["q"]]
        time.sleep(max(0.0, DELAY - (time.perf_counter() - began)))
        self._send(200, {"translatedText": texts})

    def _send(self, status: int, body: dict[str, list[str]]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def serve(pipe: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    pipe.send(server.server_address[1])
    server.serve_forever()


def requests_of(number: int) -> list[Request]:
    return [Request(f"Hura {n}. langilea da, eta gaur etorri da.", "eu", "en") for n in range(number)]


def timed(system: System, memory: Memory, requests: list[Request]) -> tuple[float, float]:
    """Seconds on the clock and seconds of processor time: on a busy machine only the second says what we cost."""
    began, spent = time.perf_counter(), time.process_time()
    answers = asyncio.run(Dispatcher(system, memory, limits=Limits(concurrency=AT_ONCE)).run(requests))
    taken = time.perf_counter() - began, time.process_time() - spent
    assert len(answers) == len(requests)
    return taken


@contextmanager
def running() -> Iterator[str]:
    """The address of the server, in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        server.terminate()


def throughput(url: str, folder: Path, number: int) -> tuple[float, float]:
    system = open_system(f"libretranslate:{url}")
    assert system.fingerprint
    with Memory(folder / "rest.db") as memory:
        return timed(system, memory, requests_of(number))


def plain_loop(url: str, calls: int, texts: int) -> Cost:
    """The same server asked the way a script does: a call after the other. Seconds a text."""
    with httpx.Client() as client, Cost() as cost:
        for _ in range(calls):
            body = {"q": ["Hura langilea da."] * texts, "source": "eu", "target": "en"}
            client.post(f"{url}/translate", json=body).raise_for_status()
    return cost.each(calls * texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--rest-texts", type=int, default=40_000)
    options = parser.parse_args()
    requests = requests_of(options.texts)
    with tempfile.TemporaryDirectory() as folder:
        with Memory(Path(folder) / "m.db") as memory:
            for name in ("instant translator", "second run"):
                clock, spent = timed(Instant(), memory, requests)
                rate = options.texts / clock
                print(f"{name:20} {options.texts:,} texts in {clock:.2f} s ({spent:.2f} s cpu): {rate:,.0f} texts/s")
        print(f"{'':20} {rate / 20_000:.1f} times the wanted 20,000 texts/s")
        with running() as url:
            clock, spent = throughput(url, Path(folder), options.rest_texts)
            one_by_one, in_batches = plain_loop(url, PLAIN_CALLS, 1), plain_loop(url, PLAIN_CALLS, SIZE)
    ideal = options.rest_texts / (AT_ONCE * SIZE) * DELAY
    print(
        f"{'100 ms server':20} {options.rest_texts:,} texts in {clock:.2f} s ({spent:.2f} s cpu); ideal {ideal:.2f} s"
    )
    figure("a server of 100 ms a call, 8 calls at once", f"{ideal / clock:.0%} of the ideal throughput", "90 %")
    ours = Cost(clock, spent).each(options.rest_texts)
    for peer, theirs in (("a text a call", one_by_one), (f"{SIZE} texts a call", in_batches)):
        beside("a text from a server of 100 ms a call", ours, f"a plain HTTP loop, {peer}", theirs, waits=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    print(f"{'peak memory':20} {peak:,.0f} MB")


if __name__ == "__main__":
    main()
