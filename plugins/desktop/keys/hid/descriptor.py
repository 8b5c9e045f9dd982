"""Report descriptors of HID devices (Device Class Definition for HID 1.11, 6.2.2): which bits of a
report are which control. They come from devices, so nothing in them is trusted."""
from __future__ import annotations

import dataclasses
from typing import Callable, Dict, Iterator, List, Mapping, Tuple

MOST_BYTES = 4096                               # HID_MAX_DESCRIPTOR_SIZE of Linux
MOST_REPORT_BITS = 16384 * 8                    # HID_MAX_BUFFER_SIZE
MOST_REPORTS = 256
MOST_USAGES = 1024                              # of one main item
MOST_KEPT = 8192                                # of all fields together, each with its usages
MOST_PUSHED = 16

INPUT, OUTPUT = "input", "output"
LONG_ITEM = 0xFE
VARIABLE, RELATIVE, NO_PREFERRED = 0x02, 0x04, 0x20     # flags of a main item


class Malformed(ValueError):
    """It is no report descriptor; the text says why, and quotes nothing of it."""


@dataclasses.dataclass(frozen=True)
class Field:
    """One value in a report: of a single usage, or the index of one of several (an array)."""

    kind: str                                   # INPUT or OUTPUT
    report: int                                 # its number, 0 if reports have none
    offset: int                                 # in bits, behind the number
    size: int                                   # in bits
    usages: Tuple[int, ...]
    is_array: bool
    is_relative: bool
    has_preferred_state: bool
    minimum: int                                # the logical one

    def value(self, bits: int, length: int) -> Dict[int, int]:
        """The values of its usages in that report, which has so many bits; none if it is too
        short."""
        if self.offset + self.size > length:
            return {}
        raw = bits >> self.offset & (1 << self.size) - 1
        if not self.is_array:
            return {self.usages[0]: raw}
        return {usage: int(raw == self.minimum + index) for index, usage in enumerate(self.usages)}


@dataclasses.dataclass(frozen=True)
class Descriptor:
    """The reports of a device, and the bits of each."""

    fields: Tuple[Field, ...]
    bits: Mapping[Tuple[str, int], int]         # by kind and number
    is_numbered: bool

    def values(self, report: bytes) -> List[Tuple[Field, Dict[int, int]]]:
        """What an input report says, as it is read from hidraw."""
        number, data = (report[0], report[1:]) if self.is_numbered and report else (0, report)
        bits = int.from_bytes(data, "little")
        return [(field, field.value(bits, len(data) * 8)) for field in self.fields
                if field.kind == INPUT and field.report == number]

    def outputs(self, lit: Mapping[int, bool]) -> Dict[int, bytes]:
        """The output reports, by number, that set those lamps, as they are written to hidraw."""
        reports: Dict[int, int] = {}
        for field in self.fields:
            if field.kind == OUTPUT and not field.is_array and field.usages[0] in lit:
                bit = int(lit[field.usages[0]]) << field.offset
                reports[field.report] = reports.get(field.report, 0) | bit
        return {number: bytes([number]) + bits.to_bytes(self.size(OUTPUT, number), "little")
                for number, bits in reports.items()}

    def size(self, kind: str, number: int) -> int:
        """The bytes of a report, without its number."""
        return (self.bits.get((kind, number), 0) + 7) // 8


@dataclasses.dataclass
class Globals:
    """The state that holds until it is changed, and that can be pushed and popped."""

    page: int = 0
    minimum: int = 0
    size: int = 0
    count: int = 0
    report: int = 0


class Parser:
    """Reads one descriptor."""

    def __init__(self) -> None:
        self._state = Globals()
        self._pushed: List[Globals] = []
        self._usages: List[Tuple[int, bool]] = []   # and whether the page is in it already
        self._least: Tuple[int, bool] = (0, False)
        self._fields: List[Field] = []
        self._bits: Dict[Tuple[str, int], int] = {}
        self._is_numbered = False
        self._kept = 0

    def descriptor(self, data: bytes) -> Descriptor:
        """`Malformed` if it is none."""
        for prefix, size, value in items(data):
            handle = ITEMS.get(prefix)
            if handle is not None:
                handle(self, value, size)
            if prefix & 0x0C == 0:              # after a main item
                self._usages, self._least = [], (0, False)
        return Descriptor(tuple(self._fields), self._bits, self._is_numbered)

    # ---- Global items

    def page(self, value: int, size: int) -> None:
        self._state.page = value & 0xFFFF

    def minimum(self, value: int, size: int) -> None:
        sign = 1 << (8 * size - 1) if size else 0
        self._state.minimum = value - 2 * sign if value & sign else value

    def report_size(self, value: int, size: int) -> None:
        self._state.size = value

    def report_count(self, value: int, size: int) -> None:
        self._state.count = value

    def report_id(self, value: int, size: int) -> None:
        if not 0 < value < MOST_REPORTS:
            raise Malformed(f"the number of a report is {value}; it is to be 1 to 255")
        self._state.report, self._is_numbered = value, True

    def push(self, value: int, size: int) -> None:
        if len(self._pushed) == MOST_PUSHED:
            raise Malformed(f"more than {MOST_PUSHED} states are pushed")
        self._pushed.append(dataclasses.replace(self._state))

    def pop(self, value: int, size: int) -> None:
        if not self._pushed:
            raise Malformed("a state is popped that was not pushed")
        self._state = self._pushed.pop()

    # ---- Local items

    def usage(self, value: int, size: int) -> None:
        if len(self._usages) < MOST_USAGES:
            self._usages.append((value, size == 4))

    def usage_minimum(self, value: int, size: int) -> None:
        self._least = (value, size == 4)

    def usage_maximum(self, value: int, size: int) -> None:
        least, is_whole = self._least
        room = MOST_USAGES - len(self._usages)
        self._usages += [(each, is_whole) for each in range(least, min(value + 1, least + room))]

    # ---- Main items

    def input(self, flags: int, size: int) -> None:
        self._main(INPUT, flags)

    def output(self, flags: int, size: int) -> None:
        self._main(OUTPUT, flags)

    def _main(self, kind: str, flags: int) -> None:
        """Constant fields with usages count, too: there are headsets that declare their keys so."""
        state, key = self._state, (kind, self._state.report)
        begin = self._bits.get(key, 0)
        if state.size * state.count > MOST_REPORT_BITS - begin:
            raise Malformed(f"a report has more than {MOST_REPORT_BITS} bits")
        self._bits[key] = begin + state.size * state.count
        # The page that counts is the one at the main item, not the one at the usage (6.2.2.8).
        usages = tuple(value if is_whole else state.page << 16 | value & 0xFFFF
                       for value, is_whole in self._usages)
        is_array = not flags & VARIABLE
        count = min(state.count, MOST_USAGES) if state.size and usages else 0
        rows = [usages] * count if is_array else [(usage,) for usage in usages[:count]]
        self._kept += len(rows) * len(usages) if is_array else len(rows)
        if self._kept > MOST_KEPT:
            raise Malformed(f"it has more than {MOST_KEPT} usages")
        self._fields += [Field(
            kind, state.report, begin + index * state.size, state.size, row, is_array,
            bool(flags & RELATIVE), not flags & NO_PREFERRED, state.minimum)
            for index, row in enumerate(rows)]


Handle = Callable[[Parser, int, int], None]

ITEMS: Mapping[int, Handle] = {                 # by prefix without its size
    0x80: Parser.input, 0x90: Parser.output,
    0x04: Parser.page, 0x14: Parser.minimum, 0x74: Parser.report_size, 0x84: Parser.report_id,
    0x94: Parser.report_count, 0xA4: Parser.push, 0xB4: Parser.pop,
    0x08: Parser.usage, 0x18: Parser.usage_minimum, 0x28: Parser.usage_maximum}


def items(data: bytes) -> Iterator[Tuple[int, int, int]]:
    """The short items: prefix without size, size and value. Long ones are reserved, and skipped."""
    if len(data) > MOST_BYTES:
        raise Malformed(f"it has {len(data)} bytes; Linux takes {MOST_BYTES} at most")
    index = 0
    while index < len(data):
        prefix = data[index]
        if prefix == LONG_ITEM:
            index += 3 + (data[index + 1] if index + 1 < len(data) else 0)
            continue
        size = (0, 1, 2, 4)[prefix & 3]
        value = data[index + 1:index + 1 + size]
        if len(value) < size:
            raise Malformed(f"it ends in the item at byte {index}")
        yield prefix & ~3, size, int.from_bytes(value, "little")
        index += 1 + size


def parsed(data: bytes) -> Descriptor:
    """The reports that a descriptor describes; `Malformed` if it is none."""
    return Parser().descriptor(data)
