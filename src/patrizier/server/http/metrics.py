"""Prometheus metrics: how many and how long, never who or what."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The metrics of one server process, in their own registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.connections = Gauge("patrizier_connections", "Open sockets.", registry=registry)
        self.turns = Counter(
            "patrizier_turns_total",
            "Turns played, by a person, a bot or a stand-in.",
            ["by"],
            registry=registry,
        )
        self.commands = Counter(
            "patrizier_commands_total", "Commands carried out, by kind.", ["kind"],
            registry=registry,
        )  # fmt: skip
        self.refused = Counter(
            "patrizier_refused_total", "Commands and requests refused, by code.", ["code"],
            registry=registry,
        )  # fmt: skip
        self._worker_queue = Gauge(
            "patrizier_worker_queue", "Bots waiting for a worker.", registry=registry
        )
        self.command_seconds = Histogram(
            "patrizier_command_seconds", "Latency of commands.", registry=registry,
            buckets=_SECONDS,
        )  # fmt: skip
        self.request_seconds = Histogram(
            "patrizier_request_seconds", "Latency of requests.",
            ["method", "route", "status"], registry=registry, buckets=_SECONDS,
        )  # fmt: skip

    @contextmanager
    def command(self, kind: str) -> Iterator[None]:
        """Measure a command; count it unless it raises."""
        begin = perf_counter()
        yield
        self.command_seconds.observe(perf_counter() - begin)
        self.commands.labels(kind).inc()

    def text(self, worker_queue: int) -> bytes:
        """Return all metrics in the text format, with the present length of the queue."""
        self._worker_queue.set(worker_queue)
        return generate_latest(self.registry)
