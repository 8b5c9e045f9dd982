"""The controls and lamps of telephones, as the HID Usage Tables (1.5) number them.

A usage is the number of its page in the upper 16 bits and its own below.
"""
from __future__ import annotations

HOOK_SWITCH = 0x0B0020
FLASH = 0x0B0021
DROP = 0x0B0026
PHONE_MUTE = 0x0B002F
REJECT = 0x090007
"""Button 7, with which Jabra and those that follow it decline a call."""

CONTROLS = frozenset((HOOK_SWITCH, FLASH, DROP, PHONE_MUTE, REJECT))
"""Those that are acted on."""
TELEPHONY = frozenset((HOOK_SWITCH, FLASH, DROP, PHONE_MUTE))
"""Those that make a device one for telephony. Any gamepad has a seventh button."""

LED_MUTE = 0x080009
LED_OFF_HOOK = 0x080017
LED_RING = 0x080018
LED_HOLD = 0x080020
LED_MICROPHONE = 0x080021
LED_ON_LINE = 0x08002A

LAMPS = frozenset((LED_MUTE, LED_OFF_HOOK, LED_RING, LED_HOLD, LED_MICROPHONE, LED_ON_LINE))
"""Those that follow the calls."""
