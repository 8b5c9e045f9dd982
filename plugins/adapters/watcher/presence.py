"""When an app that records is in a call, and when the call is over. Reads no clock."""
from __future__ import annotations

import dataclasses
from typing import Dict, List, Mapping, Optional, Tuple

from recognition import Rule, Streams


@dataclasses.dataclass
class Span:
    """An app between its first sound and the end of its call."""

    since: float                                # when it began to record, or to be silent
    is_call: bool = False
    is_recording: bool = True


class Presence:
    """Turns streams, which come and go in the middle of a call, into beginnings and ends of calls.

    A call begins when its app has recorded without a gap for `begin_ms` of its rule, so that a look
    at the microphone is none; it is over after `end_ms` without a stream, so that an app may reopen
    its own. A stream that is paused begins no call and ends none.
    """

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self._spans: Dict[str, Span] = {}

    def restore(self, app: str, now: float) -> None:
        """The app was in a call when a predecessor looked last."""
        self._spans[app] = Span(now, is_call=True, is_recording=False)

    def forget(self, app: str) -> None:
        """The app is no longer looked at."""
        self._spans.pop(app, None)

    def see(self, found: Mapping[str, Streams], now: float) -> Tuple[List[str], List[str]]:
        """Returns the apps whose calls have begun, and those whose calls are over.

        Args:
            now: in seconds, of a clock that only goes forward.
        """
        for app in found.keys() | self._spans.keys():
            recording = found[app].recording if app in found else []
            self._look(app, bool(recording), any(not each.corked for each in recording), now)
        begun = [app for app, span in self._spans.items()
                 if not span.is_call and self._left(app, span, now) <= 0]
        over = [app for app, span in self._spans.items()
                if span.is_call and not span.is_recording and self._left(app, span, now) <= 0]
        for app in begun:
            self._spans[app].is_call = True
        for app in over:
            del self._spans[app]
        return begun, over

    def _look(self, app: str, has_stream: bool, is_running: bool, now: float) -> None:
        span = self._spans.get(app)
        if span is None:
            if is_running:
                self._spans[app] = Span(now)
        elif not span.is_call:
            if not is_running:
                del self._spans[app]
        elif has_stream != span.is_recording:
            span.is_recording, span.since = has_stream, now

    def wait(self, now: float) -> Optional[float]:
        """Seconds until a call begins or is over if nothing else happens; None: none will."""
        waits = [self._left(app, span, now) for app, span in self._spans.items()
                 if not (span.is_call and span.is_recording)]
        return max(min(waits), 0.0) if waits else None

    def _left(self, app: str, span: Span, now: float) -> float:
        rule = self._rules[app]
        return span.since + (rule.end_ms if span.is_call else rule.begin_ms) / 1000 - now
