"""What RTCP measures of a call's sound, as baresip tells it every few seconds."""
from __future__ import annotations

from typing import Any, Dict

MS_MAX = 60_000


class Quality:
    """What was counted so far, so that each report is about the time since the one before."""

    def __init__(self) -> None:
        self._sent = 0
        self._lost = 0

    def measured(self, stats: Any) -> Dict[str, int]:
        """The members of a report, from the `rtcp_stats` of an event; nothing if no packet came."""
        received = stats.get("rx") if isinstance(stats, dict) else None
        numbers = [received.get(name) if isinstance(received, dict) else None
                   for name in ("sent", "lost", "jit")]
        if not all(isinstance(number, int) for number in numbers):
            return {}
        sent, lost, jitter = numbers
        since, gone = sent - self._sent, lost - self._lost
        self._sent, self._lost = sent, lost
        if since <= 0:
            return {}
        report = {"loss_permille": min(1_000, max(0, 1_000 * gone // since)),
                  "jitter_ms": milliseconds(jitter)}
        trip = stats.get("rtt")
        if isinstance(trip, int) and trip > 0:  # 0: not known yet
            report["round_trip_ms"] = milliseconds(trip)
        return report


def milliseconds(microseconds: int) -> int:
    """Rounded up: what takes time takes some."""
    return min(MS_MAX, max(0, -(-microseconds // 1_000)))
