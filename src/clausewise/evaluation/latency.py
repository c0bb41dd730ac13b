"""How long a user waits, as the half and the last twentieth of requests see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Percentiles of the time a request took, in milliseconds."""

    p50_ms: float
    p95_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        """Return the percentiles of some durations; both are 0 where there are none."""
        if not seconds:
            return cls(p50_ms=0.0, p95_ms=0.0)
        p50, p95 = np.percentile(seconds, [50, 95]) * 1000
        return cls(p50_ms=round(float(p50), 3), p95_ms=round(float(p95), 3))

    def to_json(self) -> Mapping[str, float]:
        """Return the percentiles under the names of the command-line contract."""
        return {"p50": self.p50_ms, "p95": self.p95_ms}
