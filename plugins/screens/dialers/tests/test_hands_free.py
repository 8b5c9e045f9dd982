"""The hands-free gateway of a real PipeWire, driven by a headset: the headset and BlueZ are the
test's own, for want of a Bluetooth controller."""
import glob
import os
import re
import socket
import unittest

import lab
from bluez import Bluez
from callbroker import Failed, generic
from headset import TONE, Earpiece, Headset, is_tone, samples

ANN, BOB = "+15550101", "+15550102"
NOT_ALLOWED, NOT_SUPPORTED = "+CME ERROR: 3", "+CME ERROR: 4"
# States in the results of AT+CLCC.
ACTIVE, HELD, DIALING, RINGING, WAITING = "0", "1", "2", "4", "5"


def configuration(file):
    """A configuration as the README has it."""
    with open(os.path.join(lab.PLUGIN, "README.md"), encoding="utf-8") as readme:
        return re.search(rf"`{re.escape(file)}`:\n\n```\n(.*?)```", readme.read(), re.S)[1]


def is_served(path):
    """Whether a program listens at a socket."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


class GatewayCase(unittest.TestCase):
    """A desk with PipeWire, whose session manager is configured as the README says, and a headset
    that is connected to it."""

    preloaded = {}

    def setUp(self):
        self.desk = lab.Desk(self)
        self.desk.start_session()
        self.bluez = Bluez(self, self.desk.bus)
        folder = os.path.join(self.desk.folder, ".config", "wireplumber", "bluetooth.lua.d")
        os.makedirs(folder)
        file = "51-callbroker.lua"
        with open(os.path.join(folder, file), "w", encoding="utf-8") as output:
            output.write(configuration(file))
            # There is no seat here whose user has the sound.
            output.write('bluez_monitor.properties["with-logind"] = false\n')
        pipewire = self.desk.program("pipewire", "pipewire")
        lab.wait_until(pipewire.said, is_served, os.path.join(self.desk.folder, "pipewire-0"))
        self.prepare()
        self.headset = self.connected("wireplumber")

    def prepare(self):
        """What is to be there before the session manager."""

    def connected(self, name):
        """Starts the session manager; a headset that is connected to it."""
        self.manager = self.desk.program(name, "wireplumber", **self.preloaded)
        headset = Headset(self.bluez.connect())
        headset.establish()
        # The gateway reads the modem meanwhile; without it there is no network, and no call.
        lab.wait_until(lambda: headset.lines, lambda: any(
            line.startswith("+CIND: 1,") for line in headset.command("AT+CIND?")))
        return headset

    def talking(self, app, number):
        """A call that was answered, of which the headset knows."""
        call = self.desk.rings(app, number)
        self.desk.user.answer(call, wait="completed").result(lab.CEILING)
        self.wait_to_list(number, ACTIVE)
        return call

    def only_call(self):
        """The call that there is."""
        return lab.wait_until("a call", lambda: list(self.desk.user.calls.values()))[0]

    def listed(self):
        """The calls that the gateway lists: their states by number."""
        *lines, result = self.headset.command("AT+CLCC")
        self.assertEqual(result, "OK")
        found = [re.fullmatch(r'\+CLCC: \d+,\d,(\d),0,\d,"(.*)",\d+', line) for line in lines]
        return {each[2]: each[1] for each in found if each}

    def wait_to_list(self, number, state):
        lab.wait_until(lambda: f"{number} {state}: {self.listed()}",
                       lambda: self.listed().get(number) == state)

    def done(self, command):
        self.assertEqual(self.headset.result(command), "OK", self.headset.lines)


class HandsFreeTests(GatewayCase):
    # ---- One call

    def test_a_call_of_baresip_rings_and_is_answered_and_hung_up_by_the_headset(self):
        telephone = lab.Baresip(self, self.desk.folder, "ann")
        lab.baresip_provider(self, self.desk.folder, telephone, self.desk.broker.path,
                             "org.example.ann").wait_for("attached")
        caller = lab.Caller(self, self.desk.folder, "carol", telephone)
        for result in ("+CIEV: 3,1", "RING", "+CLIP: "):
            line = self.headset.wait_for(result)
        self.assertIn("sip:carol@", line)
        call = self.only_call()["call"]
        self.done("ATA")
        for result in ("+CIEV: 2,1", "+CIEV: 3,0"):
            self.headset.wait_for(result)
        self.desk.wait_for(call, "active")
        lab.wait_until(caller.logged, lambda: caller.logged() == ["answered"])
        self.done("AT+CHUP")
        self.headset.wait_for("+CIEV: 2,0")
        self.desk.wait_for(call, None)
        self.assertEqual(caller.wait(), 0, caller.said())

    def test_the_first_ring_has_the_number(self):
        self.desk.rings(self.desk.app(), ANN)
        self.headset.wait_for("+CLIP")
        first = self.headset.lines.index("RING")
        self.assertEqual(self.headset.lines[first + 1], f'+CLIP: "{ANN}",145')

    def test_an_address_cannot_say_anything_else_to_the_headset(self):
        self.desk.app().report_incoming(lab.new_id(), generic('ann"\r\n+CIEV: 2,1\r\n')).result(
            lab.CEILING)
        self.assertEqual(self.headset.wait_for("+CLIP"), '+CLIP: "ann+CIEV: 2,1",129')
        self.assertEqual(self.listed(), {"ann+CIEV: 2,1": RINGING})
        self.assertNotIn("+CIEV: 2,1", self.headset.lines)

    def test_a_call_that_rings_is_rejected(self):
        call = self.desk.rings(self.desk.app())
        self.headset.wait_for("RING")
        self.done("AT+CHUP")
        self.headset.wait_for("+CIEV: 3,0")
        self.desk.wait_for(call, None)
        self.assertEqual([kind for kind, *_ in self.desk.performed], ["end"])

    def test_a_number_is_dialed(self):
        app = self.desk.app()
        self.done(f"ATD{BOB};")
        call = self.only_call()
        self.assertEqual((call["direction"], call["remote"]["value"]), ("outgoing", BOB))
        self.headset.wait_for("+CIEV: 3,2")
        app.report_alerting(call["call"]).result(lab.CEILING)
        self.headset.wait_for("+CIEV: 3,3")
        app.report_connected(call["call"]).result(lab.CEILING)
        self.headset.wait_for("+CIEV: 2,1")
        self.assertEqual(self.listed(), {BOB: ACTIVE})
        self.done("AT+CHUP")
        self.desk.wait_for(call["call"], None)

    def test_a_number_that_an_app_refuses_is_refused(self):
        def refuse(_):
            raise Failed(message="Busy Here", app_code="SIP 486")
        self.desk.app().on_action("start")(refuse)
        self.assertIn("+CME ERROR", self.headset.result(f"ATD{BOB};"))
        self.assertEqual(self.listed(), {})

    def test_a_call_that_a_dialer_has_not_started_is_none_for_the_headset(self):
        app = self.desk.app()
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        waiting = self.desk.rings(app, ANN)
        self.wait_to_list(ANN, RINGING)
        self.assertEqual(self.listed(), {ANN: RINGING})
        app.report_ended(waiting, "remote_ended").result(lab.CEILING)
        self.headset.wait_for("+CIEV: 3,0")
        self.assertNotIn("+CIEV: 2,1", self.headset.lines)
        self.desk.done("-o", "0", "--start")
        self.headset.wait_for("+CIEV: 3,2")
        self.wait_to_list(BOB, DIALING)

    def test_what_is_no_call_is_not_announced_after_the_session_manager_was_away(self):
        app = self.desk.app()
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        over = self.talking(app, ANN)
        app.report_ended(over, "remote_ended").result(lab.CEILING)
        self.manager.stop()
        self.bluez.manager.profiles.clear()
        self.headset = self.connected("again")
        self.desk.rings(app, "+15550103")
        self.headset.wait_for("+CIEV: 3,1")
        self.assertEqual(self.listed(), {"+15550103": RINGING})
        self.assertNotIn("+CIEV: 2,1", self.headset.lines)

    def test_tones_are_sent(self):
        tones, app = [], self.desk.app()
        app.on_action("play_dtmf")(lambda action: tones.append(action.arguments["digits"]))
        self.talking(app, ANN)
        for tone in "1#":
            self.done("AT+VTS=" + tone)
        self.assertEqual(tones, ["1", "#"])

    def test_a_call_that_is_over_leaves_the_headset_at_once_and_stays_for_dialers(self):
        app = self.desk.app()
        app.report_ended(self.talking(app, ANN), "remote_ended").result(lab.CEILING)
        self.headset.wait_for("+CIEV: 2,0")
        self.assertEqual(self.listed(), {})
        self.assertEqual(self.desk.listed(), {"0": "incoming (terminated)"})

    # ---- Several calls

    def test_two_calls_are_listed_and_swapped_by_another_screen(self):
        app = self.desk.app()
        first = self.talking(app, ANN)
        self.talking(app, BOB)
        self.wait_to_list(ANN, HELD)
        # This gateway has no three-way calling, and tells the headset so: bit 0 of its features.
        features = int(self.headset.lines[0].removeprefix("+BRSF: "))
        self.assertEqual(features & 1, 0)
        self.assertEqual(self.headset.result("AT+CHLD=2"), NOT_SUPPORTED)
        self.desk.user.swap(first, wait="completed").result(lab.CEILING)
        self.wait_to_list(ANN, ACTIVE)
        self.wait_to_list(BOB, HELD)

    def test_one_after_the_other_is_hung_up(self):
        app = self.desk.app()
        first, second = self.talking(app, ANN), self.talking(app, BOB)
        self.desk.user.swap(first, wait="completed").result(lab.CEILING)
        for call, number in ((first, ANN), (second, BOB)):
            self.wait_to_list(number, ACTIVE)
            self.done("AT+CHUP")
            self.desk.wait_for(call, None)
        self.headset.wait_for("+CIEV: 2,0")

    def test_a_call_that_waits_rings_when_the_first_is_over(self):
        app = self.desk.app()
        self.talking(app, ANN)
        second = self.desk.rings(app, BOB)
        self.wait_to_list(BOB, WAITING)
        self.assertEqual(self.headset.result("ATA"), NOT_ALLOWED)
        self.done("AT+CHUP")
        for result in ("+CIEV: 2,0", "RING", f'+CLIP: "{BOB}"'):
            self.headset.wait_for(result)
        self.done("ATA")
        self.desk.wait_for(second, "active")

    # ---- The modem

    def test_the_headset_reads_network_and_own_number(self):
        self.assertIn('"callsetup",(0-3)', self.headset.lines[2])
        self.assertEqual(self.headset.command("AT+CIND?"), ["+CIND: 1,0,0,0,5,0,0", "OK"])
        self.assertEqual(self.headset.command("AT+COPS?"), ['+COPS: 0,0,"CallBroker"', "OK"])
        self.desk.app().update(lines=[{"line": "1", "label": "Home", "handle": {
            "type": "phone", "value": "+15550199"}}]).result(lab.CEILING)
        wanted = ['+CNUM: ,"+15550199",145', "OK"]
        lab.wait_until(lambda: self.headset.command("AT+CNUM"),
                       lambda: self.headset.command("AT+CNUM") == wanted)

    def test_a_call_is_driven_after_the_broker_was_away(self):
        app = self.desk.app()
        call = self.talking(app, ANN)
        app.reconcile(lambda: [{"call": call, "direction": "incoming", "state": "active",
                                "remote": lab.phone(ANN)}])
        self.desk.broker.kill()
        for result in ("+CIEV: 2,0", "+CIEV: 1,0"):
            self.headset.wait_for(result)
        self.desk.broker.start()
        for result in ("+CIEV: 1,1", "+CIEV: 2,1"):
            self.headset.wait_for(result)
        self.desk.wait_for_app(call)
        self.done("AT+CHUP")
        self.desk.wait_for_action("end", call)

    def test_a_call_is_driven_after_the_session_manager_was_away(self):
        call = self.talking(self.desk.app(), ANN)
        self.manager.stop()
        self.bluez.manager.profiles.clear()
        self.headset = self.connected("again")
        self.wait_to_list(ANN, ACTIVE)
        self.done("AT+CHUP")
        self.desk.wait_for(call, None)


class SoundTests(GatewayCase):
    """The sound of a call, over sockets in the place of SCO where the kernel has no Bluetooth."""

    def prepare(self):
        self.earpiece = Earpiece(self, self.desk.folder)
        self.preloaded = self.earpiece.preloaded()
        pulse = self.desk.program("pipewire-pulse", "pipewire-pulse")
        self.server = os.path.join(self.desk.folder, "pulse", "native")
        lab.wait_until(pulse.said, is_served, self.server)

    def pactl(self, *arguments):
        return self.desk.output("pactl", "--server=unix:" + self.server, *arguments)

    def volumes(self):
        return re.findall(r"(?m)^\tVolume: .*?(\d+)%", self.pactl("list", "sinks"))

    def wait_for_sink(self):
        lab.wait_until(self.manager.said, lambda: "bluez_output" in self.pactl("list", "sinks"))

    def test_both_sides_of_a_call_get_the_sound_of_the_other(self):
        self.wait_for_sink()
        account = lab.ACCOUNT.strip() + ";audio_source=alsa,pulse\n"
        ann = lab.Baresip(self, self.desk.folder, "ann", accounts=account, modules=("alsa",),
                          player="alsa,pulse", channels=1,
                          environment={**os.environ, "PULSE_SERVER": "unix:" + self.server})
        lab.baresip_provider(self, self.desk.folder, ann, self.desk.broker.path,
                             "org.example.ann").wait_for("attached")
        bob = lab.Baresip(self, self.desk.folder, "bob", modules=("sndfile",))
        bob.command("dial", f"sip:ann@127.0.0.1:{ann.sip}")
        self.headset.wait_for("RING")
        self.done("ATA")
        self.headset.wait_for("+CIEV: 2,1")
        lab.wait_until("the tone of baresip", lambda: is_tone(self.earpiece.heard(), 440))
        lab.wait_until("the tone of the headset", lambda: is_tone(heard_by(bob), TONE))
        self.done("AT+CHUP")
        self.headset.wait_for("+CIEV: 2,0")

    def test_the_volume_of_the_headset_is_that_of_its_sink(self):
        self.wait_for_sink()
        for gain, percent in ((15, "100"), (9, "60")):
            self.done(f"AT+VGS={gain}")
            lab.wait_until(lambda: f"{percent}: {self.volumes()}",
                           lambda wanted=percent: self.volumes() == [wanted])
        self.pactl("set-sink-volume", "@DEFAULT_SINK@", "40%")
        self.headset.wait_for("+VGS: 6")


def heard_by(telephone):
    """The last second of what a baresip has got in its call, as its module sndfile writes it."""
    for path in glob.glob(os.path.join(os.path.dirname(telephone.log), "dump-*-dec.wav")):
        with open(path, "rb") as file:
            return samples(file.read()[44:][-16_000:])
    return ()


if __name__ == "__main__":
    unittest.main()
