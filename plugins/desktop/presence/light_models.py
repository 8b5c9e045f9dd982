"""The busy lights that are known: how each is recognized, and the reports that color it. Where each
report is published is in the README."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, FrozenSet, List, Optional, Tuple

Color = Tuple[int, int, int]                    # red, green, blue, from 0 to 255
OFF: Color = (0, 0, 0)


@dataclass(frozen=True)
class Model:
    """One kind of light.

    Args:
        ids: vendor and product at the USB.
        report: what colors it, with the number of the report first (0: it has no numbers).
        is_feature: whether that is a feature report, and not an output report.
        keep_alive: a report that it needs every few seconds, or it goes dark by itself.
    """

    name: str
    ids: FrozenSet[Tuple[int, int]]
    report: Callable[[Color], bytes]
    is_feature: bool = False
    keep_alive: Optional[bytes] = None


def luxafor(color: Color) -> bytes:
    """Command 1, a steady color; 0xFF: all LEDs."""
    return bytes((0x00, 0x01, 0xFF, *color, 0x00, 0x00, 0x00))


def blink1(color: Color) -> bytes:
    """Command 'c', fade to a color; in no time, on all LEDs."""
    return bytes((0x01, 0x63, *color, 0x00, 0x00, 0x00, 0x00))


def blinkstick(color: Color) -> bytes:
    """The color of the first LED."""
    return bytes((0x01, *color))


def blynclight(color: Color) -> bytes:
    """Red, blue, green; steady and bright, without a sound. Black is dark."""
    red, green, blue = color
    return bytes((0x00, red, blue, green, 0x00, 0x00, 0x00, 0xFF, 0x22))


def busylight(color: Color) -> bytes:
    """One step: jump to itself with that color, which is from 0 to 100 here, always on."""
    shares = (round(part * 100 / 255) for part in color)
    return program((0x10, 0x00, *shares, 0xFF, 0x00, 0x00))


def program(step: Tuple[int, ...]) -> bytes:
    """Seven steps, of which the first is given, and a footer with the sum of the rest."""
    packet = bytes((*step, *bytes(48), 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF))
    return b"\0" + packet + sum(packet).to_bytes(2, "big")


KEEP_ALIVE = program((0x8F, *bytes(7)))         # for 15 s


def same_vendor(vendor: int, *products: int) -> List[Tuple[int, int]]:
    return [(vendor, product) for product in products]


MODELS = (
    Model("Luxafor Flag", frozenset(same_vendor(0x04D8, 0xF372)), luxafor),
    Model("blink(1)", frozenset(same_vendor(0x27B8, 0x01ED)), blink1, is_feature=True),
    Model("BlinkStick", frozenset(same_vendor(0x20A0, 0x41E5)), blinkstick, is_feature=True),
    Model("Blynclight", frozenset((
        *same_vendor(0x2C0D, 0x0001, 0x000A, 0x000C), *same_vendor(0x0E53, 0x2516, 0x2517),
        *same_vendor(0x047F, 0xD005))), blynclight),
    Model("Busylight", frozenset(same_vendor(
        0x27BB, 0x3BCA, 0x3BCB, 0x3BCC, 0x3BCD, 0x3BCE, 0x3BCF)), busylight,
        keep_alive=KEEP_ALIVE))


def model_of(vendor: int, product: int) -> Optional[Model]:
    return next((model for model in MODELS if (vendor, product) in model.ids), None)


def read_colors(texts: List[str], known: Dict[str, Color]) -> Dict[str, Color]:
    """The known colors, changed by STATE=RRGGBB; `ValueError` with what is wrong."""
    colors = dict(known)
    for text in texts:
        state, _, value = text.partition("=")
        try:
            red, green, blue = bytes.fromhex(value)
        except ValueError:
            raise ValueError(f"{text!r} is no color; write STATE=RRGGBB") from None
        if state not in known:
            raise ValueError(f"there is no state {state!r}, but {', '.join(known)}")
        colors[state] = (red, green, blue)
    return colors
