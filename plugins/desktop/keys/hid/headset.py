"""What the keys of one headset are pressed for, and what its lamps show. Nothing is read or written
here."""
from __future__ import annotations

from typing import Callable, Dict, Iterable, List, Optional, Tuple

from calls import Situation
from hid.descriptor import INPUT, Descriptor, Field
from hid.usages import (CONTROLS, DROP, FLASH, HOOK_SWITCH, LED_HOLD, LED_MICROPHONE, LED_MUTE,
                        LED_OFF_HOOK, LED_ON_LINE, LED_RING, PHONE_MUTE, REJECT, TELEPHONY)
from presses import END, HOLD, MUTE, MUTED, SHORT, UNMUTED

MOMENTARY = {FLASH: HOLD, DROP: END, REJECT: END}
# A hook switch that springs back so soon is a push button, whatever its descriptor says.
SPRING_SECONDS = 0.5


class Headset:
    """One device. It keeps a state of its own for the hook and the microphone, which the reports of
    both sides bring in step."""

    def __init__(self, descriptor: Descriptor, clock: Callable[[], float],
                 spring: float = SPRING_SECONDS) -> None:
        self._descriptor, self._clock, self._spring = descriptor, clock, spring
        self._values: Dict[Tuple[int, int], int] = {}   # by report and bit, and what was read last
        self._lifted_at: Optional[float] = None         # by the user, not by a lamp
        self._is_push_button = False
        self._written: Dict[int, bytes] = {}

    @property
    def is_for_telephony(self) -> bool:
        """Whether it has any control of a telephone."""
        return any(field.kind == INPUT and not TELEPHONY.isdisjoint(field.usages)
                   for field in self._descriptor.fields)

    def reports(self, data: bytes) -> Iterable[bytes]:
        """The reports in what was read: one from hidraw, maybe several from a stream."""
        while data:
            number = data[0] if self._descriptor.is_numbered else 0
            size = self._descriptor.size(INPUT, number) + int(self._descriptor.is_numbered)
            if not self._descriptor.size(INPUT, number):
                return                          # a report that it has not declared
            yield data[:size]
            data = data[size:]

    def receive(self, report: bytes, situation: Situation) -> List[str]:
        """The presses that an input report stands for."""
        presses = []
        for field, values in self._descriptor.values(report):
            for usage in CONTROLS.intersection(values):
                before = self._values.get((field.report, field.offset * 65536 + usage % 65536), 0)
                self._values[field.report, field.offset * 65536 + usage % 65536] = values[usage]
                if values[usage] != before:
                    presses += self._changed(field, usage, bool(values[usage]), situation)
        return presses

    def _changed(self, field: Field, usage: int, is_on: bool, situation: Situation) -> List[str]:
        is_switch = not field.is_relative and not field.is_array
        if usage == HOOK_SWITCH and is_switch:
            return self._hook(is_on, situation)
        if usage == PHONE_MUTE and is_switch and not field.has_preferred_state:
            return [MUTED if is_on else UNMUTED]
        words = {**MOMENTARY, HOOK_SWITCH: SHORT, PHONE_MUTE: MUTE}
        return [words[usage]] if is_on else []

    def _hook(self, is_lifted: bool, situation: Situation) -> List[str]:
        """A switch that stands as the calls do was not pressed: it follows the lamp."""
        lifted_at, self._lifted_at = self._lifted_at, None
        if lifted_at is not None and not is_lifted and self._clock() - lifted_at < self._spring:
            self._is_push_button = True
            return []
        if is_lifted == situation.is_off_hook and not self._is_push_button:
            return []
        if is_lifted:
            self._lifted_at = self._clock()
            return [SHORT]
        is_withdrawn = situation.answering and not situation.at_the_door
        return [] if self._is_push_button else [END if is_withdrawn else SHORT]

    # ---- Lamps

    def indicate(self, situation: Situation, anew: bool = False) -> List[bytes]:
        """The output reports that are to be written: those that change, or all."""
        reports = self._descriptor.outputs(lamps(situation))
        changed = [report for number, report in sorted(reports.items())
                   if anew or self._written.get(number) != report]
        self._written = reports
        return changed


def lamps(situation: Situation) -> Dict[int, bool]:
    """Which lamps are lit."""
    is_off_hook, is_muted = situation.is_off_hook, situation.is_muted
    return {LED_RING: situation.at_the_door is not None, LED_OFF_HOOK: is_off_hook,
            LED_ON_LINE: is_off_hook, LED_MUTE: is_muted, LED_MICROPHONE: is_muted,
            LED_HOLD: situation.held is not None and situation.live is None}
