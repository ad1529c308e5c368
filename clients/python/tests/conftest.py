"""A server for the tests: the demo, on a free port, with its key."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import tradepost

REPOSITORY = Path(__file__).resolve().parents[3]
# Names the server program. `cargo xtask python-client` builds it.
BINARY = "TRADEPOST_BINARY"


@dataclass(frozen=True)
class Demo:
    """A running demo and what it prints."""

    url: str
    printed: dict[str, str]

    @property
    def key(self) -> str:
        return self.printed["apiKey"]

    @property
    def environment(self) -> dict[str, str]:
        return {"TRADEPOST_URL": self.url, "TRADEPOST_API_KEY": self.key}

    def client(self, **options: object) -> tradepost.Client:
        return tradepost.connect(self.url, self.key, **options)  # type: ignore[arg-type]


@contextmanager
def running_demo(*arguments: str) -> Iterator[Demo]:
    binary = os.environ.get(BINARY)
    if not binary:
        raise RuntimeError(f"set {BINARY} to the server program, or run: cargo xtask python-client")
    # The settings of the machine are no part of the tests.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRADEPOST_")}
    command = [binary, "demo", "--quiet", "--listen", "127.0.0.1:0", *arguments]
    server = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**environment, "TRADEPOST_LOG__LEVEL": "error"},
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line, f"the demo ended with {server.wait()} before it was up"
        printed = json.loads(line)
        yield Demo(printed["baseUrl"], printed)
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture(scope="session")
def still() -> Iterator[Demo]:
    """A demo whose records do not move by themselves."""
    with running_demo("--still") as demo:
        yield demo


@pytest.fixture(scope="session")
def live() -> Iterator[Demo]:
    """A demo that trades, ten hours of the market in a second."""
    with running_demo("--speed", "36000") as demo:
        yield demo


@pytest.fixture
def client(still: Demo) -> Iterator[tradepost.Client]:
    with still.client() as connected:
        yield connected
