"""Pushes of a server by UnifiedPush, to apps that do not run. The distributor is one of the tests'
own."""
import json
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
sys.path[:0] = [PLUGIN, os.path.join(PLUGIN, "..", "mqtt", "tests"), HERE]

from push_bench import APP, CEILING, NUMBER, ROOT, SDK, Program, PushBench, wait_until  # noqa: E402
from web_push_server import encrypt, post, push  # noqa: E402

from distributor import choose, full_name  # noqa: E402
from unifiedpush import OPTIONS, read_vapid  # noqa: E402
from web_push import Keys  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "unifiedpush.py")
SERVICE, OTHER = "org.callbroker.UnifiedPush", "org.example.other"
# An app that the session bus starts.
SERVICE_FILE = """\
[D-BUS Service]
Name=org.example.Other
Exec=/usr/bin/python3 {program}
"""
OTHER_APP = """\
import asyncio, sys
sys.path.insert(0, {sdk!r})
from bus import Bus, session_bus
from callbroker import Provider
from jeepney import message_bus

app = Provider("org.example.other", "Other", handle_types=["phone"], push_types=["voip"],
               start_by={{"dbus": "org.example.Other"}}, socket={bench.broker.path!r})

@app.on_push
async def ring(kind, payload):
    await app.report_incoming(payload["call"], payload["caller"])

async def main():
    bus = Bus(session_bus)
    bus.listen([], lambda message: None, app.close)     # ends with the test
    await bus.open()
    await bus.ask(message_bus.RequestName("org.example.Other"))
    await app.serve_beside()

asyncio.run(main())
"""
# The example of RFC 8291.
KEY = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"


class PushTest(unittest.TestCase):
    def setUp(self):
        self.bench = PushBench(self, PROGRAM)
        self.bench.start_bus()

    def start_distributor(self, version=2, name="stand"):
        self.distributor = Program(
            self, self.bench.folder, "distributor-" + name,
            [os.path.join(HERE, "distributor_stand.py"), name, str(version)],
            self.bench.environment)
        self.distributor.wait_for("port ")
        self.port = re.search(r"port (\d+)", self.distributor.said())[1]

    def control(self, path):
        self.assertEqual(post(f"http://127.0.0.1:{self.port}/control/{path}", b""), 200)

    def start(self, **options):
        self.gateway = self.bench.start("--retry", "0.1", **options)

    def start_with_app(self, version=2, **options):
        """The address of an app that has run once."""
        self.start_distributor(version)
        self.start(**options)
        self.address = self.bench.run_once()

    def push(self, **members):
        """A server pushes a call; its payload."""
        payload = self.bench.payload(**members)
        self.assertEqual(push(self.address, payload), 201)
        return payload

    def addresses(self, app):
        return [each for each in app.tokens if each not in (None, OTHER)]


class PushTests(PushTest):
    def test_a_push_starts_the_app_whose_call_rings(self):
        self.start_with_app()
        self.assertFalse(self.bench.is_running())
        self.bench.wait_for_ring(self.push())
        self.assertTrue(self.bench.is_running())
        self.distributor.wait_for("Message is answered with METHOD_RETURN")

    def test_a_distributor_of_the_first_version_is_used_as_well(self):
        self.start_with_app(version=1)
        self.bench.wait_for_ring(self.push())
        self.distributor.wait_for(f"registers {SERVICE} Push phone")

    def test_the_address_is_a_subscription_of_web_push(self):
        self.start_with_app()
        subscription = json.loads(self.address)
        self.assertEqual((set(subscription), set(subscription["keys"])),
                         ({"endpoint", "keys"}, {"p256dh", "auth"}))
        self.assertLess(len(self.address), 2_048)
        self.assertEqual(os.stat(self.bench.state).st_mode & 0o777, 0o600)

    def test_without_encryption_the_address_is_the_endpoint_alone(self):
        self.start_with_app(encrypted=False)
        self.assertTrue(self.address.startswith("http://127.0.0.1"), self.address)
        payload = self.bench.payload()
        self.assertEqual(post(self.address, json.dumps(payload).encode()), 201)
        self.bench.wait_for_ring(payload)

    def test_the_same_address_is_good_after_a_restart_of_all(self):
        self.start_with_app()
        self.gateway.kill()
        self.bench.broker.kill()
        self.bench.restart_broker()
        self.start()
        self.gateway.wait_for("is registered with")
        self.bench.wait_for_ring(self.push())
        self.assertEqual(self.bench.address(), self.address)

    def test_no_number_no_name_and_no_secret_reaches_the_log(self):
        self.start_with_app(ask_first="all")
        self.bench.wait_for_ring(self.push())
        self.gateway.wait_for(f"a push for {APP}")
        subscription = json.loads(self.address)
        for word in (NUMBER, "Ann", subscription["endpoint"], *subscription["keys"].values()):
            self.assertNotIn(word, self.gateway.said())

    def test_the_push_of_a_blocked_number_starts_nothing(self):
        self.start_with_app(ask_first="blocked")
        self.bench.block()
        self.push()
        self.gateway.wait_for("is refused: its call would not ring (block_list)")
        self.assertFalse(self.bench.is_running())


class RefusalTests(PushTest):
    def test_what_is_not_encrypted_for_the_app_is_counted_and_starts_nothing(self):
        self.start_with_app()
        subscription = json.loads(self.address)
        other = {**subscription["keys"], "auth": "A" * 22}
        for body, words in (
                (b'{"a":1}', "shorter than the header"), (bytes(4_096), "no key of P-256"),
                (encrypt(other, b"{}"), "it is not encrypted for this address"),
                (encrypt(subscription["keys"], b"[]"), "it is not a JSON object"),
                (encrypt(subscription["keys"], b"\xff"), "it is not JSON")):
            self.assertEqual(post(subscription["endpoint"], body), 201)
            self.gateway.wait_for(words)
        self.assertFalse(self.bench.is_running())
        self.bench.wait_for_ring(self.push())

    def test_other_programs_on_the_bus_cannot_push_without_a_token(self):
        self.start_with_app()
        for arguments in (("Connector2.Message", "{'token': <'x'>, 'message': <b'hello'>}"),
                          ("Connector2.Message", "{'token': <7>, 'message': <true>}"),
                          ("Connector2.Message", "@a{sv} {}"),
                          ("Connector2.NewEndpoint", "{'token': <'x'>, 'endpoint': <'http://x'>}"),
                          ("Connector2.Unregistered", "{'token': <'x'>}"),
                          ("Connector1.Message", "x", "b'hello'", ""),
                          ("Connector1.NewEndpoint", "x", "http://x"),
                          ("Connector1.Unregistered", "")):
            self.assertEqual(self.call(*arguments).returncode, 0, arguments)
        self.assertEqual(self.bench.address(), self.address)
        self.bench.wait_for_ring(self.push())

    def test_calls_with_other_arguments_are_refused(self):
        self.start_with_app()
        self.assertNotEqual(self.call("Connector2.Message", "x").returncode, 0)
        self.assertNotEqual(self.call("Connector3.Message", "x").returncode, 0)
        self.bench.wait_for_ring(self.push())

    def call(self, member, *arguments):
        return subprocess.run(
            ["gdbus", "call", "--session", "--dest", SERVICE, "--object-path",
             "/org/unifiedpush/Connector", "--method", "org.unifiedpush." + member, "--",
             *arguments], env=self.bench.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=CEILING, check=False)


class RegistrationTests(PushTest):
    def test_a_distributor_that_comes_later_is_used_when_it_is_there(self):
        self.start()
        self.gateway.wait_for("a distributor of UnifiedPush is not on the session bus")
        app = self.bench.other_app()
        self.start_distributor()
        wait_until("an address", lambda: self.addresses(app))

    def test_a_registration_that_fails_is_tried_again(self):
        self.start_distributor()
        self.control("fail/NETWORK")
        self.start()
        app = self.bench.other_app()
        self.gateway.wait_for("does not take an app: it has no network; trying again")
        self.control("fail/")
        wait_until("an address", lambda: self.addresses(app))

    def test_the_failure_of_one_app_does_not_keep_another_from_an_address(self):
        self.start_distributor()
        self.start()
        one = self.bench.other_app()
        wait_until("an address", lambda: self.addresses(one))
        self.control("fail/ACTION_REQUIRED")
        two = self.bench.other_app("org.example.third")
        self.gateway.wait_for("it needs something of you, such as a login")
        self.assertEqual(push(self.addresses(one)[-1], {"a": 1}), 201)
        wait_until("a push", lambda: one.pushes)
        self.control("fail/")
        wait_until("an address of the other", lambda: [
            each for each in two.tokens if each not in (None, "org.example.third")])

    def test_an_app_that_the_distributor_drops_registers_again_and_gets_a_new_address(self):
        self.start_distributor()
        self.start()
        app = self.bench.other_app()
        first = wait_until("an address", lambda: self.addresses(app))[0]
        self.control("drop")
        second = wait_until("a new address", lambda: [
            each for each in self.addresses(app) if each != first])[0]
        self.assertIn(None, app.tokens)
        self.assertEqual(push(second, {"a": 1}), 201)
        wait_until("a push", lambda: app.pushes)
        self.assertEqual(push(first, {"a": 2}), 404)

    def test_an_app_that_takes_no_pushes_any_more_is_unregistered(self):
        self.start_distributor()
        self.start()
        app = self.bench.other_app()
        address = wait_until("an address", lambda: self.addresses(app))[0]
        app.update(push_types=[]).result(CEILING)
        self.distributor.wait_for(f"unregisters {SERVICE}")
        self.assertEqual(push(address, {"a": 1}), 404)

    def test_another_distributor_gets_all_apps_and_the_former_one_loses_them(self):
        self.start_distributor(name="one")
        self.start()
        app = self.bench.other_app()
        first = wait_until("an address", lambda: self.addresses(app))[0]
        one = self.distributor
        self.gateway.stop()
        self.start_distributor(name="two")
        self.start(distributor="two")
        one.wait_for("unregisters")
        second = wait_until("an address of the other", lambda: [
            each for each in self.addresses(app) if each != first])[0]
        self.assertEqual(push(second, {"a": 1}), 201)
        wait_until("a push", lambda: app.pushes)

    def test_the_key_of_a_server_is_passed_on(self):
        self.start_distributor()
        self.start(vapid=[f"{OTHER}={KEY}"])
        app = self.bench.other_app()
        wait_until("an address", lambda: self.addresses(app))
        self.distributor.wait_for(f"registers {SERVICE} Other {KEY}")


class ActivationTests(PushTest):
    def test_an_app_that_has_run_before_the_gateway_came_is_started_by_the_bus(self):
        start_by = {"dbus": "org.example.Other"}
        self.bench.write("data/dbus-1/services/org.example.Other.service", SERVICE_FILE.format(
            program=self.bench.write("other.py", OTHER_APP.format(sdk=SDK, bench=self.bench))))
        with self.bench.provider(OTHER, push_types=["voip"], start_by=start_by):
            pass
        self.start_distributor()
        self.start()
        self.distributor.wait_for(f"registers {SERVICE} Other")
        address = wait_until("an address", lambda: self.subscriptions().get(OTHER))
        payload = self.bench.payload()
        self.assertEqual(push(address, payload), 201)
        self.bench.wait_for_ring(payload)

    def subscriptions(self):
        """What the gateway has kept of each app, as its server would get it."""
        with open(self.bench.state, encoding="utf-8") as file:
            kept = {each["provider"]: each["kept"] for each in json.load(file)}
        return {app: json.dumps({"endpoint": each["endpoint"],
                                 "keys": Keys.restored(each["keys"]).published()})
                for app, each in kept.items() if each.get("endpoint")}

    def test_a_message_starts_the_plugin_that_is_stopped(self):
        """By the service file that is installed, with the tool of these sources."""
        self.bench.install_service(os.path.join(ROOT, "packaging", SERVICE + ".service"))
        self.start_distributor()
        self.bench.supervise("gateways/unifiedpush")
        self.address = self.bench.run_once()
        self.bench.user.plugin("stop", plugin="org.callbroker.unifiedpush").result(CEILING)
        wait_until("the plugin has ended", lambda: self.bench.plugin(
            "org.callbroker.unifiedpush")["state"] == "stopped")
        self.bench.wait_for_ring(self.push())


class SettingTests(unittest.TestCase):
    def test_settings_that_cannot_be_used_are_reported_and_the_plugin_waits_for_others(self):
        bench = PushBench(self, PROGRAM)
        for options, words in (({"vapid": ["x=y"]}, "no pushes: vapid needs IDENTITY=KEY"),
                               ({"vapid": ["=" + KEY]}, "no pushes: vapid needs IDENTITY=KEY"),
                               ({"ttl_ms": 1}, "no pushes: ttl_ms is not between")):
            gateway = bench.launch(**options)
            gateway.wait_for(words)
            gateway.stop()

    def test_without_a_session_bus_the_plugin_waits_for_one(self):
        bench = PushBench(self, PROGRAM)
        bench.start().wait_for("no session bus")

    def test_the_distributor_is_the_wanted_one_else_the_former_else_the_first(self):
        one, two = map(full_name, ("one", "two"))
        names = [":1.5", "org.example.A", two, one, two]
        with self.assertLogs("unifiedpush", "WARNING"):
            self.assertEqual(choose(names, "", ""), one)
        self.assertEqual(choose(names, "", two), two)
        self.assertEqual(choose(names, one, two), one)
        self.assertIsNone(choose(names, full_name("three"), two))
        self.assertIsNone(choose([":1.5", "org.example.A"], "", two))
        self.assertEqual(full_name(one), one)

    def test_the_keys_of_servers_are_by_identity(self):
        self.assertEqual(read_vapid([f"{OTHER}={KEY}"]), {OTHER: KEY})

    def test_the_page_and_the_manifest_have_the_options_that_there_are(self):
        PushBench(self, PROGRAM).compare_options(OPTIONS)


if __name__ == "__main__":
    unittest.main()
