"""The modem and its calls while the broker, the program, the dialers and the bus come and go."""
import os
import pwd
import re
import shutil
import signal
import subprocess
import unittest

import lab

ANN, BOB = "+15550101", "+15550102"
NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
SYSTEM_BUS = """\
<busconfig>
  <type>system</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  {more}
</busconfig>
"""


class SignalTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.app = self.desk.app()

    def test_the_list_of_calls_changes_before_a_call_is_added(self):
        self.desk.watch_signals()
        call = self.desk.rings(self.app)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        self.app.report_ended(call, "remote_ended").result(lab.CEILING)
        self.desk.wait_to_list()
        wanted = ["PropertiesChanged", "CallAdded", "PropertiesChanged", "CallDeleted"]
        lab.wait_until(self.desk.monitor.said, lambda: self.desk.signals(lab.MODEM) == wanted)
        self.assertEqual(self.desk.signals(lab.ROOT_PATH + "/Call/0"),
                         ["PropertiesChanged", "StateChanged"])

    def test_what_the_hands_free_gateway_of_pipewire_reads_is_there(self):
        self.desk.rings(self.app)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        modem = self.desk.properties(lab.MODEM, lab.MM + ".Modem")
        wanted = {"Device": "s", "EquipmentIdentifier": "s", "Manufacturer": "s", "Model": "s",
                  "OwnNumbers": "as", "Revision": "s", "SignalQuality": "(ub)", "State": "i"}
        self.assertEqual({name: modem[name][0] for name in wanted}, wanted)
        self.assertEqual(modem["State"][1], "8")
        network = self.desk.properties(lab.MODEM, lab.MM + ".Modem.Modem3gpp")
        self.assertEqual((network["OperatorName"], network["RegistrationState"]),
                         (("s", '"CallBroker"'), ("u", "1")))
        voice = self.desk.properties(lab.MODEM, lab.MM + ".Modem.Voice")
        self.assertEqual(voice["Calls"], ("ao", '1 "/org/freedesktop/ModemManager1/Call/0"'))
        call = self.desk.properties(lab.ROOT_PATH + "/Call/0", lab.MM + ".Call")
        self.assertEqual({name: call[name] for name in ("Direction", "Number", "State")}, {
            "Direction": ("i", "1"), "Number": ("s", f'"{ANN}"'), "State": ("i", "3")})

    def test_a_call_that_ends_elsewhere_says_how(self):
        for number, (reason, shown) in enumerate((
                ("remote_ended", "terminated"), ("failed", "error"),
                ("declined_elsewhere", "refused-or-busy"))):
            with self.subTest(reason):
                call = self.desk.rings(self.app)
                lab.wait_until("it rings", lambda each=number: self.desk.listed().get(
                    str(each)) == "incoming (ringing-in)")
                self.app.report_ended(call, reason).result(lab.CEILING)
                lab.wait_until("it is over", lambda each=number: self.desk.listed().get(
                    str(each)) == "incoming (terminated)")
                self.assertIn("reason: " + shown, self.desk.done("-o", str(number)))

    def test_nobody_s_numbers_are_in_the_log(self):
        call = self.desk.rings(self.app)
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.desk.mmcli("-o", "1", "--start")
        self.app.report_ended(call, "remote_ended").result(lab.CEILING)
        self.desk.wait_for(call, None)
        for number in (ANN, BOB):
            self.assertNotIn(number[1:], self.desk.dialers.said())


class LifeTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.app = self.desk.app()
        self.call = self.desk.rings(self.app)
        self.desk.user.answer(self.call, wait="completed").result(lab.CEILING)
        self.app.reconcile(lambda: [{"call": self.call, "direction": "incoming",
                                     "state": "active", "remote": lab.phone(ANN)}])
        self.desk.wait_to_list(call_0="incoming (active)")

    def test_without_a_broker_there_is_no_modem_and_its_calls_come_back_with_it(self):
        self.desk.watch_signals()
        self.desk.broker.kill()
        lab.wait_until(lambda: self.desk.mmcli("-L"),
                       lambda: "No modems were found" in self.desk.mmcli("-L")[0])
        lab.wait_until(self.desk.monitor.said, lambda: self.desk.signals() == [
            "PropertiesChanged", "CallDeleted", "InterfacesRemoved"])
        self.desk.refusal("-o", "0", "--hangup")
        self.desk.broker.start()
        self.desk.wait_to_list(call_1="incoming (active)")
        self.desk.wait_for_app(self.call)
        self.desk.done("-o", "1", "--hangup")
        self.desk.wait_for_action("end", self.call)

    def test_calls_that_ended_meanwhile_leave_no_ghost(self):
        draft = self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertIn("/Call/1", draft)
        self.app.reconcile(lambda: [])
        self.desk.broker.kill()
        lab.wait_until("no modem", lambda: "No modems" in self.desk.mmcli("-L")[0])
        self.desk.broker.start()
        lab.wait_until(self.desk.listed, lambda: self.desk.mmcli("-L")[1] == 0 and (
            self.desk.listed() == {}) and self.desk.user.calls == {})

    def test_a_program_that_is_killed_comes_back_with_the_calls(self):
        self.desk.dialers.kill()
        self.assertNotEqual(self.desk.mmcli("-L")[1], 0)
        self.assertEqual(self.desk.state(self.call), "active")
        self.desk.start(name="again")
        self.desk.wait_to_list(call_0="incoming (active)")

    def test_a_program_that_is_stopped_takes_its_calls_away(self):
        self.desk.watch_signals()
        self.desk.dialers.kill(signal.SIGTERM)
        self.assertEqual(self.desk.dialers.process.returncode, 0, self.desk.dialers.said())
        lab.wait_until(self.desk.monitor.said, lambda: self.desk.signals() == [
            "PropertiesChanged", "CallDeleted", "InterfacesRemoved"])

    def test_calls_that_nobody_starts_are_replaced_by_later_ones(self):
        for _ in range(20):
            self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertEqual(sorted(self.desk.listed(), key=int),
                         ["0", *(str(number) for number in range(5, 21))])

    def test_the_end_of_the_bus_is_its_end(self):
        self.desk.bus_daemon.kill()
        self.assertEqual(self.desk.dialers.wait(), 1)
        self.assertIn("the bus has gone", self.desk.dialers.said())


class NameTests(unittest.TestCase):
    def test_it_waits_for_a_name_that_another_program_has(self):
        desk = lab.Desk(self, starts=False)
        first = desk.program("first", lab.PROGRAM, "--verbose")
        first.wait_for("ready")
        second = desk.program("second", lab.PROGRAM, "--verbose")
        second.wait_for("mask --now ModemManager")
        self.assertNotIn("ready", second.said())
        first.stop()
        second.wait_for("ready")
        call = desk.rings(desk.app())
        desk.wait_to_list(call_0="incoming (ringing-in)")
        desk.done("-o", "0", "--accept")
        desk.wait_for(call, "active")

    def test_a_bus_of_its_own(self):
        desk = lab.Desk(self, starts=False)
        program = desk.program("dialers", lab.PROGRAM, "--own-bus", "--verbose",
                               DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nowhere")
        program.wait_for("ready")
        program.wait_for("the modem is there")
        address = f"unix:path={desk.folder}/callbroker/dialers.bus"
        self.assertIn("DBUS_SYSTEM_BUS_ADDRESS=" + address, program.said())
        desk.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
        desk.rings(desk.app())
        desk.wait_to_list(call_0="incoming (ringing-in)")
        program.kill(signal.SIGTERM)
        self.assertEqual(os.listdir(f"{desk.folder}/callbroker"), [])

    def test_without_a_bus_it_says_so(self):
        desk = lab.Desk(self, starts=False)
        program = desk.program("dialers", lab.PROGRAM, "--bus", "unix:path=/nowhere")
        self.assertEqual(program.wait(), 1)
        self.assertIn("there is no bus at unix:path=/nowhere", program.said())


class PluginTests(unittest.TestCase):
    def test_the_broker_starts_it_with_a_bus_of_its_own(self):
        desk = lab.Desk(self, starts=False)
        daemon = lab.Daemon(
            self, desk.folder, options=["--plugin-dir", lab.PLUGIN],
            environment={**desk.environment, "XDG_CONFIG_HOME": desk.folder,
                         "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"})
        lab.wait_until("its end", lambda: "there is no bus at the address" in daemon.tool(
            "plugin", "logs", "dialers")[0])
        self.assertEqual(daemon.tool("plugin", "set", "dialers", "own_bus", "true")[1], 0)
        address = f"unix:path={desk.folder}/callbroker/dialers.bus"
        desk.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
        lab.wait_until(lambda: daemon.tool("plugin", "logs", "dialers"),
                       lambda: desk.mmcli("-L")[1] == 0 and "Modem/0" in desk.mmcli("-L")[0])
        self.assertIn(address, daemon.tool("plugin", "logs", "dialers")[0])


@unittest.skipUnless(os.getuid() == 0, "only root can be another user")
class PolicyTests(unittest.TestCase):
    """A bus with the rules of the system's, on which the program runs as another user."""

    def setUp(self):
        self.desk = lab.Desk(self, starts=False)
        shutil.chown(self.desk.folder, "nobody")

    def bus(self, more=""):
        path = os.path.join(self.desk.folder, "system.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SYSTEM_BUS.format(more=more))
        self.desk.bus = self.desk.start_bus("system", path)
        self.desk.environment["DBUS_SYSTEM_BUS_ADDRESS"] = self.desk.bus

    def policy(self):
        """The policy of the package, for the group that nobody is in."""
        path = os.path.join(lab.PLUGIN, "org.callbroker.dialers.conf")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        return text[text.index("<policy"):text.index("</busconfig>")].replace(
            'group="callbroker"', 'group="nogroup"')

    def program(self):
        """The program without a broker: that of the test would refuse another user."""
        return self.desk.program("dialers", *NOBODY, lab.PROGRAM, "--verbose", HOME="/",
                                 BROKER_SOCKET=os.path.join(self.desk.folder, "no-broker"))

    def test_without_the_policy_it_says_what_to_do(self):
        self.bus()
        program = self.program()
        self.assertEqual(program.wait(), 1)
        self.assertIn("sudo usermod -aG callbroker", program.said())

    def test_with_the_policy_the_group_has_the_modem(self):
        self.bus(self.policy())
        self.program().wait_for("ready")

    def test_another_user_is_refused(self):
        self.bus('<policy context="default"><allow own="*"/><allow send_destination="*"/></policy>')
        self.desk.start()
        self.assertEqual(self.desk.mmcli("-L")[1], 0)
        output = self.desk.refused_to(pwd.getpwnam("nobody").pw_uid)
        self.assertIn("these calls belong to another user", output)

    def test_the_gateway_of_another_user_is_not_told_of_calls(self):
        self.bus('<policy context="default"><allow own="*"/><allow send_destination="*"/></policy>')
        self.desk.start()
        self.desk.watch_signals()
        self.assertIn("Access denied", self.asked_by_a_gateway(*NOBODY))
        app = self.desk.app()
        call = self.desk.rings(app)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        app.report_ended(call, "remote_ended").result(lab.CEILING)
        self.desk.rings(app, BOB)
        lab.wait_until(self.desk.listed, lambda: "1" in self.desk.listed())
        self.assertIn("Modem/0", self.asked_by_a_gateway())
        lab.wait_until(self.desk.monitor.said, self.told)
        self.assertEqual(self.told(), ["CallAdded"])

    def asked_by_a_gateway(self, *as_user):
        """What a program that is called like PipeWire's gets when it asks for modems."""
        gateway = os.path.join(self.desk.folder, "wireplumber")
        shutil.copy(shutil.which("busctl"), gateway)
        done = subprocess.run(
            [*as_user, gateway, "--address=" + self.desk.bus, "call", lab.MM, lab.ROOT_PATH,
             "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"], text=True, check=False,
            capture_output=True, timeout=lab.CEILING)
        return done.stdout + done.stderr

    def told(self):
        """The signals about calls that went to a single program."""
        return re.findall(r"^signal .* -> destination=:\S+ .*member=(Call\w+)$",
                          self.desk.monitor.said(), re.M)


if __name__ == "__main__":
    unittest.main()
