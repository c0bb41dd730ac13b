from __future__ import annotations

from clausewise.evaluation.latency import Latency


def test_percentiles_are_in_milliseconds() -> None:
    latency = Latency.of([0.001 * k for k in range(101)])
    assert (latency.p50_ms, latency.p95_ms) == (50, 95)


def test_no_requests_took_no_time() -> None:
    assert Latency.of([]).to_json() == {"p50": 0, "p95": 0}
