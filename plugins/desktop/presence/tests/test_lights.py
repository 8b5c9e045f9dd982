"""Busy lights: reports as they are published, and devices that come, go and refuse. No real light
was there."""
import asyncio
import fcntl
import os
import re
import signal
import threading
import unittest
from pathlib import Path
from unittest import mock

from light_stand import LightStand, written
from presence_bench import CEILING, PLUGIN, Admin, Bench, wait_until

from current import Current, Presence  # noqa: E402
from light_models import MODELS, OFF, model_of, read_colors  # noqa: E402
from lights import COLORS, Light, Lights, read_ids, set_feature  # noqa: E402

LUXAFOR, BLINK1, BLINKSTICK = (0x04D8, 0xF372), (0x27B8, 0x01ED), (0x20A0, 0x41E5)
BLYNCLIGHT, BUSYLIGHT = (0x2C0D, 0x0001), (0x27BB, 0x3BCD)
RED, ORANGE = (255, 0, 0), (255, 128, 0)


def report(words):
    return bytes.fromhex(words)


class ReportTests(unittest.TestCase):
    """Compared with bytes as others have published them, not with what the code computes."""

    def made(self, ids, color):
        return model_of(*ids).report(color)

    def test_luxafor(self):
        # docs.rs/luxafor, usb_hid: "Solid" is 00 01 LED RED GREEN BLUE 00 00 00; LED FF: all.
        self.assertEqual(self.made(LUXAFOR, RED), report("00 01 ff ff 00 00 00 00 00"))
        self.assertEqual(self.made(LUXAFOR, (1, 2, 3)), report("00 01 ff 01 02 03 00 00 00"))

    def test_blink1(self):
        # notifierlight: SetFeature {01 63 ff 00 00 00 00 00 00} is red on all LEDs;
        # blink1-hid-commands: { 1, 'c', r,g,b, th,tl, n }, in nine bytes (blink1-lib.h).
        self.assertEqual(self.made(BLINK1, RED), report("01 63 ff 00 00 00 00 00 00"))
        self.assertTrue(model_of(*BLINK1).is_feature)

    def test_blinkstick(self):
        # notifierlight: {01 R G B}; blinkstick-python: feature report 1.
        self.assertEqual(self.made(BLINKSTICK, (1, 2, 3)), report("01 01 02 03"))
        self.assertTrue(model_of(*BLINKSTICK).is_feature)

    def test_blynclight(self):
        # busylight, docs/hardware/devices/embrava.md: 00, red, blue, green, flags, sound, FF 22.
        self.assertEqual(self.made(BLYNCLIGHT, (1, 2, 3)), report("00 01 03 02 00 00 00 ff 22"))

    def test_busylight(self):
        # yaddran/busylight, light("#640000"): jump, repeat 0, color, on FF; footer 0, 0, FF, ...
        step = report("10 00 64 00 00 ff 00 00")
        total = 0x10 + 0x64 + 0xFF + 4 * 0xFF
        self.assertEqual(self.made(BUSYLIGHT, RED), b"\0" + step + bytes(48) + report(
            "00 00 ff ff ff ff") + report(f"{total:04x}"))
        self.assertEqual(len(self.made(BUSYLIGHT, RED)), 65)

    def test_the_keep_alive_of_a_busylight(self):
        # yaddran/busylight, KEEPALIVE: 8F, zeros, 00 00 FF FF FF FF, and the sum 048B.
        self.assertEqual(model_of(*BUSYLIGHT).keep_alive, b"\0" + report("8f") + bytes(55) + report(
            "00 00 ff ff ff ff 04 8b"))

    def test_the_number_of_the_kernel_for_a_feature_report(self):
        # linux/hidraw.h: HIDIOCSFEATURE(9) is _IOC(READ|WRITE, 'H', 0x06, 9).
        self.assertEqual(set_feature(9), 0xC0094806)

    def test_the_rule_of_udev_names_the_same_devices(self):
        with open(os.path.join(PLUGIN, "70-callbroker-busylight.rules"), encoding="ascii") as file:
            rules = re.findall(
                r'idVendor}=="(\w{4})", ATTRS{idProduct}=="(\w{4})", TAG\+="uaccess"', file.read())
        named = {(int(vendor, 16), int(product, 16)) for vendor, product in rules}
        self.assertEqual(named, {ids for model in MODELS for ids in model.ids})

    def test_colors_may_be_changed_one_by_one(self):
        colors = read_colors(["in_call=0a0B0c"], COLORS)
        self.assertEqual(colors, {**COLORS, "in_call": (10, 11, 12)})
        for wrong in ("in_call", "in_call=red", "in_call=ffff", "busy=ff0000"):
            with self.assertRaises(ValueError):
                read_colors([wrong], COLORS)

    def test_what_is_no_description_of_a_device_is_an_error(self):
        for text in ("", "HID_ID=", "HID_ID=1:2", "HID_ID=x:y:z"):
            with self.assertRaises(ValueError):
                read_ids(text)


class LightTests(unittest.TestCase):
    """One light, with the time as an argument."""

    def light(self, ids):
        stand = LightStand(self, Bench(self).folder)
        self.device = stand.plug_in("hidraw0", *ids)
        light = Light(Path(stand.devices, "hidraw0"), model_of(*ids))
        self.addCleanup(light.close)
        return light

    def test_the_same_color_is_written_once(self):
        light = self.light(LUXAFOR)
        for now in range(0, 100, 2):
            light.show(RED, now)
        self.assertEqual(written(self.device), report("00 01 ff ff 00 00 00 00 00"))

    def test_a_busylight_is_kept_alive_while_it_is_lit(self):
        light, model = self.light(BUSYLIGHT), model_of(*BUSYLIGHT)
        seen = []
        for now in (0, 2, 6, 8, 10, 14, 16):
            light.show(RED, now)
            seen.append(written(self.device))
        alive = model.keep_alive
        self.assertEqual(seen, [model.report(RED) + alive, b"", b"", alive, b"", b"", alive])
        light.show(OFF, 17)
        light.show(OFF, 90)
        self.assertEqual(written(self.device), model.report(OFF))

    def test_a_blink1_gets_a_feature_report(self):
        light, asked = self.light(BLINK1), []
        with mock.patch.object(fcntl, "ioctl", lambda device, number, data: asked.append(
                (number, data))):
            light.show(RED, 0)
        self.assertEqual(asked, [(0xC0094806, report("01 63 ff 00 00 00 00 00 00"))])
        self.assertEqual(written(self.device), b"")


class EndTests(unittest.TestCase):
    def test_a_light_that_is_slow_is_dark_at_the_end_all_the_same(self):
        stand = LightStand(self, Bench(self).folder)
        device = stand.plug_in("hidraw0", *LUXAFOR)
        is_writing, may_go_on = threading.Event(), threading.Event()
        write = Light._write

        def slow(light, report, is_feature):
            if not is_writing.is_set():         # the first one only
                is_writing.set()
                may_go_on.wait(CEILING)
            write(light, report, is_feature)

        async def cancelled_while_it_writes():
            current = Current()
            current.set(Presence("in_call", 0))
            running = asyncio.ensure_future(Lights(
                COLORS, Path(stand.names), Path(stand.devices)).run(current))
            await asyncio.to_thread(is_writing.wait, CEILING)
            running.cancel()
            await asyncio.sleep(0)              # it is in its end now
            may_go_on.set()
            await asyncio.wait({running})
        with mock.patch.object(Light, "_write", slow):
            asyncio.run(cancelled_while_it_writes())
        self.assertEqual(written(device), b"".join(
            map(model_of(*LUXAFOR).report, (COLORS["in_call"], OFF))))


class PluginTests(unittest.TestCase):
    """The plugin and the broker, with stands for the devices."""

    def setUp(self):
        self.bench = Bench(self)
        self.stand = LightStand(self, self.bench.folder)

    def wait_for(self, device, *colors, ids=LUXAFOR):
        """Until the light has had these colors, in this order and no others."""
        expected, seen = b"".join(map(model_of(*ids).report, colors)), b""

        def complete():
            nonlocal seen
            seen += written(device)
            return seen == expected
        wait_until(lambda: f"{expected.hex()}, not {seen.hex()}", complete)

    def wait_for_first(self, device, color, ids=LUXAFOR):
        """It may have been dark before, while the presence was not known yet."""
        last = model_of(*ids).report(color)
        wait_until(f"the color {color}", lambda: written(device).endswith(last))

    def test_every_light_has_the_color_of_the_presence_and_is_dark_at_the_end(self):
        one = self.stand.plug_in("hidraw0", *LUXAFOR)
        two = self.stand.plug_in("hidraw7", *BLYNCLIGHT)
        self.stand.plug_in("hidraw1", 0x046D, 0xC52B)       # a receiver of mice
        plugin = self.bench.start(**self.stand.options)
        plugin.wait_for("Luxafor Flag is used")
        self.bench.wait_for_shown("free")
        self.wait_for_first(one, COLORS["free"])
        self.wait_for_first(two, COLORS["free"], ids=BLYNCLIGHT)
        call = self.bench.incoming(self.bench.app())
        self.wait_for(one, COLORS["ringing"])
        self.bench.user.answer(call, wait="completed").result()
        self.wait_for(one, COLORS["in_call"])
        self.bench.hold(call)
        self.wait_for(one, COLORS["on_hold"])
        self.wait_for(two, *(COLORS[state] for state in ("ringing", "in_call", "on_hold")),
                      ids=BLYNCLIGHT)
        plugin.process.send_signal(signal.SIGTERM)
        self.assertEqual(plugin.wait(), 0, plugin.said())
        self.wait_for(one, OFF)
        self.wait_for(two, OFF, ids=BLYNCLIGHT)

    def test_a_light_is_plugged_in_unplugged_and_plugged_in_again(self):
        plugin = self.bench.start(**self.stand.options, colors=["free=010203"])
        first = self.stand.plug_in("hidraw0", *LUXAFOR)
        self.wait_for(first, (1, 2, 3))
        self.stand.unplug("hidraw0")
        plugin.wait_for("Luxafor Flag is not used any more")
        again = self.stand.plug_in("hidraw3", *LUXAFOR)
        self.wait_for(again, (1, 2, 3))

    def test_one_that_cannot_be_opened_is_reported_once_and_used_later(self):
        self.stand.describe("hidraw0", *LUXAFOR)
        plugin = self.bench.start(**self.stand.options)
        plugin.wait_for("Luxafor Flag cannot be used: No such file or directory; see the README")
        call = self.bench.answered(self.bench.app())        # looks again
        self.bench.end(call)
        self.bench.wait_for_shown("free")
        os.mkfifo(os.path.join(self.stand.devices, "hidraw0"))
        device = os.open(os.path.join(self.stand.devices, "hidraw0"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, device)
        plugin.wait_for("Luxafor Flag is used")
        self.assertEqual(plugin.said().count("cannot be used"), 1)

    def test_one_that_cannot_be_written_is_reported_once_and_the_others_go_on(self):
        self.stand.plug_in("hidraw0", *BLINK1)              # a pipe has no feature reports
        other = self.stand.plug_in("hidraw1", *LUXAFOR)
        plugin = self.bench.start(**self.stand.options)
        plugin.wait_for("blink(1) cannot be written: Inappropriate ioctl for device")
        self.bench.answered(self.bench.app())
        self.bench.wait_for_shown("in_call")
        wait_until("the other is red", lambda: written(other).endswith(
            model_of(*LUXAFOR).report(COLORS["in_call"])))
        self.assertEqual(plugin.said().count("cannot be written"), 1, plugin.said())

    def test_without_a_broker_lights_are_dark_until_it_is_back(self):
        device = self.stand.plug_in("hidraw0", *LUXAFOR)
        self.bench.start("--patience", "1", **self.stand.options)
        self.wait_for_first(device, COLORS["free"])
        self.bench.broker.kill()
        self.wait_for(device, OFF)
        self.bench.broker.start()
        self.wait_for(device, COLORS["free"])

    def test_as_a_plugin_it_looks_where_its_options_say(self):
        device = self.stand.plug_in("hidraw0", *LUXAFOR)
        self.bench.supervise()
        admin = self.bench.entered(Admin("admin", socket=self.bench.broker.path))
        for option, value in self.stand.options.items():
            admin.plugin("set_option", plugin="org.callbroker.presence", option=option,
                         value=value).result(CEILING)
        self.wait_for_first(device, COLORS["free"])

    def test_a_color_that_is_none_is_reported_and_the_usual_ones_are_shown(self):
        device = self.stand.plug_in("hidraw0", *LUXAFOR)
        plugin = self.bench.start(**self.stand.options, colors=["in_call=crimson"])
        plugin.wait_for("option colors: 'in_call=crimson' is no color")
        self.wait_for_first(device, COLORS["free"])


if __name__ == "__main__":
    unittest.main()
