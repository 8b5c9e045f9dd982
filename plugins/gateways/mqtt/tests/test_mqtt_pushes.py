"""Pushes of a server at a real mosquitto, to apps that do not run."""
import json
import os
import signal
import sys
import unittest

from push_bench import APP, CEILING, NUMBER, PushBench, wait_until

from mosquitto_stand import ChoosyMosquitto, Mosquitto, SecureMosquitto, free_port  # noqa: E402

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, PLUGIN)
from mqtt import OPTIONS  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "mqtt.py")
OTHER = "org.example.other"


class BenchTests(unittest.TestCase):
    def setUp(self):
        self.bench = PushBench(self, PROGRAM)

    def start(self, server=None, **options):
        """mosquitto, and the gateway that is connected to it."""
        self.server = server or Mosquitto(self, self.bench.folder)
        self.gateway = self.bench.start(host="localhost", port=self.server.port, **options)
        self.gateway.wait_for("connected to the MQTT broker")

    def start_with_app(self, **options):
        """The same, and the address of an app that has run once."""
        self.start(**options)
        self.topic = self.bench.run_once()

    def push(self, *arguments, **members):
        """A server publishes a call; its payload."""
        payload = self.bench.payload(**members)
        self.server.publish(self.topic, payload, *arguments)
        return payload


class PushTests(BenchTests):
    def test_a_push_starts_the_app_whose_call_rings(self):
        self.start_with_app()
        self.assertFalse(self.bench.is_running())
        self.bench.wait_for_ring(self.push())
        self.assertTrue(self.bench.is_running())
        self.assertEqual(self.bench.calls()[0]["display_name"], "Ann")

    def test_an_app_that_has_left_after_its_call_is_started_again(self):
        self.start_with_app()
        for _ in range(2):
            payload = self.push()
            self.bench.wait_for_ring(payload)
            self.bench.user.end(payload["call"], wait="completed").result(CEILING)
            wait_until("the app has left", lambda: not self.bench.is_running())

    def test_the_address_is_a_topic_with_a_secret_that_survives_both_programs(self):
        self.start_with_app(topic="calls")
        self.assertRegex(self.topic, rf"^calls/{APP}/voip/[A-Za-z0-9_-]{{27}}$")
        self.assertEqual(os.stat(self.bench.state).st_mode & 0o777, 0o600)
        self.gateway.stop()
        self.bench.broker.kill()
        self.bench.restart_broker()
        self.start(self.server, topic="calls")
        self.bench.wait_for_ring(self.push())

    def test_a_damaged_secret_is_replaced_once(self):
        self.start_with_app()
        self.gateway.kill()
        damaged = {**self.remembered(), "kept": {"secret": None}}
        with open(self.bench.state, "w", encoding="utf-8") as file:
            json.dump([damaged], file)
        self.start(self.server)
        secret = self.remembered()["kept"]["secret"]
        self.assertRegex(secret, "^[A-Za-z0-9_-]{27}$")
        self.gateway.kill()
        self.start(self.server)
        self.assertEqual(self.remembered()["kept"]["secret"], secret)

    def test_a_damaged_file_of_addresses_is_replaced(self):
        for damaged in ("{", "[7]", '[{"provider": 7, "type": "voip", "name": ""}]',
                        f'[{{"provider": "{APP}", "type": "voip", "name": "", "kept": "a"}}]'):
            with open(self.bench.state, "w", encoding="utf-8") as file:
                file.write(damaged)
            self.start()
            self.gateway.wait_for("cannot be read")
            self.gateway.stop()
        self.start_with_app()
        self.bench.wait_for_ring(self.push())

    def remembered(self):
        """The address of the only app."""
        with open(self.bench.state, encoding="utf-8") as file:
            address, = json.load(file)
        return address

    def test_without_a_secret_the_topic_is_that_of_the_app(self):
        self.start_with_app(topic="calls", secret=False)
        self.assertEqual(self.topic, f"calls/{APP}/voip")
        self.bench.wait_for_ring(self.push())

    def test_a_login_and_tls_are_used(self):
        server = SecureMosquitto(self, self.bench.folder)
        self.start(server, tls=True, ca_file=server.authority.certificate,
                   login_file=server.login_file())
        self.topic = self.bench.run_once()
        self.bench.wait_for_ring(self.push())
        self.assertNotIn("s3cret", self.gateway.said())

    def test_no_number_no_name_and_no_secret_reaches_the_log(self):
        self.start_with_app(ask_first="all")
        self.bench.wait_for_ring(self.push())
        self.gateway.wait_for(f"a push for {APP}")
        for word in (NUMBER, "Ann", self.topic.rsplit("/", 1)[1]):
            self.assertNotIn(word, self.gateway.said())


class SessionTests(BenchTests):
    def test_what_was_published_while_the_host_slept_comes_when_it_is_back(self):
        self.start_with_app()
        self.gateway.kill()
        payload = self.push()
        self.start(self.server)
        self.bench.wait_for_ring(payload)

    def test_what_has_expired_meanwhile_does_not_come(self):
        self.start_with_app()
        self.gateway.kill()
        old = self.push(sent_at_ms=1_000)
        self.push("-D", "publish", "message-expiry-interval", "1")
        wait_until("mosquitto has kept the time", self.a_second_later())
        new = self.push()
        self.start(self.server)
        self.bench.wait_for_ring(new)
        self.gateway.wait_for("is refused: it is too old (1 so far)")
        self.assertEqual([call["call"] for call in self.bench.calls()], [new["call"]])
        self.assertNotEqual(old["call"], new["call"])

    def a_second_later(self):
        """Two seconds by the clock of mosquitto's log, in which everything has its time."""
        def times():
            self.server.answers()               # a line in the log
            return {int(line.split(":", 1)[0]) for line in self.server.program.said().splitlines()
                    if line[:10].isdigit()}
        first = max(times())
        return lambda: max(times()) >= first + 2

    def test_a_retained_message_is_no_push(self):
        self.start_with_app()
        self.push("-r")
        self.gateway.wait_for("is refused: it is retained")
        self.gateway.stop()
        self.start(self.server)
        self.bench.wait_for_ring(self.push())
        self.assertEqual(len(self.bench.calls()), 1)

    def test_a_topic_that_the_mqtt_broker_refuses_is_no_address(self):
        self.start(ChoosyMosquitto(self, self.bench.folder))
        app = self.bench.other_app()
        self.gateway.wait_for(f"refuses the topic of {OTHER} (Not authorized)")
        self.server.allow_all()
        topic = wait_until("an address", lambda: next(
            (each for each in app.tokens if each and each != OTHER), None))
        self.server.publish(topic, {"a": 1})
        wait_until("a push", lambda: app.pushes)

    def test_an_mqtt_broker_that_is_away_is_connected_when_it_is_back(self):
        port = free_port()
        self.gateway = self.bench.start(host="localhost", port=port)
        self.gateway.wait_for("no MQTT broker answers at localhost")
        self.server = Mosquitto(self, self.bench.folder, port=port)
        self.gateway.wait_for("connected to the MQTT broker")
        self.topic = self.bench.run_once()
        self.server.program.stop(signal.SIGTERM)
        self.gateway.wait_for("is lost; trying again")
        self.server.start()
        self.bench.wait_for_ring(self.push())

    def test_a_call_broker_that_is_away_gets_the_push_when_it_is_back(self):
        self.start_with_app()
        self.bench.broker.kill()
        payload = self.push()
        self.gateway.wait_for("a push waits for the broker")
        self.bench.restart_broker()
        wait_until("the call rings", lambda: any(
            call["call"] == payload["call"] for call in self.bench.calls()))


class RefusalTests(BenchTests):
    def test_what_is_no_push_is_counted_and_starts_nothing(self):
        self.start_with_app()
        nested = b'{"a":' * 2_000 + b"1" + b"}" * 2_000
        for payload, words in (
                (b"", "it is not JSON"), (b"\xff\xfe{}", "it is not JSON (2 so far)"),
                (b"[1]", "it is not a JSON object"), (b'"call"', "JSON object (2 so far)"),
                (b'{"a":"' + b"x" * 5_120 + b'"}', "it has more than 5,120 bytes"),
                (b'{"a":"' + b"x" * 60_000 + b'"}', "5,120 bytes (2 so far)"),
                (b'{"a":NaN}', "not JSON (4 so far)"), (nested[:5_000], "not JSON (4 so far)")):
            self.server.publish(self.topic, payload)
            if payload not in (b'{"a":NaN}',):
                self.gateway.wait_for(words)
        self.assertFalse(self.bench.is_running())
        self.bench.wait_for_ring(self.push())

    def test_what_is_far_too_large_is_not_even_received(self):
        self.start_with_app()
        self.server.publish(self.topic, b'{"a":"' + b"x" * 10_000_000 + b'"}')
        self.bench.wait_for_ring(self.push())
        self.assertNotIn("refused", self.gateway.said())

    def test_what_the_broker_cannot_take_is_refused_as_well(self):
        self.start_with_app()
        for payload in (b'{"a":"\\ud800"}', b'{"a":1e400}', b'{"a":' + b"9" * 4_000 + b"}"):
            self.server.publish(self.topic, payload)
        self.bench.wait_for_ring(self.push())
        self.assertEqual(len(self.bench.calls()), 1)

    def test_an_app_that_takes_no_pushes_any_more_loses_its_address(self):
        self.start()
        app = self.bench.other_app()
        topic = wait_until("an address", lambda: next(
            (each for each in app.tokens if each and each != OTHER), None))
        app.update(push_types=[]).result(CEILING)
        self.gateway.wait_for(f"{OTHER} takes no voip pushes any more")
        wait_until("nothing is remembered", lambda: not os.path.exists(self.bench.state))
        self.server.publish(topic, {"a": 1})
        app.update(push_types=["voip"]).result(CEILING)
        new = wait_until("a new address", lambda: next(
            (each for each in app.tokens if each and each not in (OTHER, topic)), None))
        self.server.publish(new, {"a": 2})
        wait_until("the second push", lambda: app.pushes)
        self.assertEqual([push["payload"] for push in app.pushes], [{"a": 2}])

    def test_an_app_that_dies_with_a_push_gets_it_once_more(self):
        self.start_with_app()
        self.bench.user.plugin("start", plugin=APP).result(CEILING)
        app = wait_until("the app runs", lambda: (
            self.bench.app()["state"] == "ready" and self.bench.app()["pid"]))
        os.kill(app, signal.SIGSTOP)
        payload = self.push()
        os.kill(app, signal.SIGKILL)
        self.bench.wait_for_ring(payload)

    def test_each_app_gets_its_own_pushes(self):
        self.start_with_app()
        app = self.bench.other_app()
        topic = wait_until("an address", lambda: next(
            (each for each in app.tokens if each and each != OTHER), None))
        self.assertNotEqual(topic, self.topic)
        self.server.publish(topic, {"a": 1})
        wait_until("a push", lambda: app.pushes)
        self.assertEqual((app.pushes[0]["type"], app.pushes[0]["payload"]), ("voip", {"a": 1}))
        self.assertFalse(self.bench.is_running())


class AskingTests(BenchTests):
    def test_the_push_of_a_blocked_number_starts_nothing(self):
        self.start_with_app(ask_first="blocked")
        self.bench.block()
        self.push()
        self.gateway.wait_for("is refused: its call would not ring (block_list)")
        self.assertFalse(self.bench.is_running())
        self.bench.wait_for_ring(self.push(caller={"type": "phone", "value": "+15550199"}))

    def test_do_not_disturb_starts_nothing_if_the_user_wants_that(self):
        self.start_with_app(ask_first="all")
        self.bench.set_do_not_disturb()
        self.push()
        self.gateway.wait_for("is refused: its call would not ring (do_not_disturb)")
        self.assertFalse(self.bench.is_running())
        self.bench.set_do_not_disturb(False)
        self.bench.wait_for_ring(self.push())

    def test_otherwise_the_app_reports_its_call_which_is_refused_and_recorded(self):
        self.start_with_app(ask_first="blocked")
        self.bench.set_do_not_disturb()
        payload = self.push()
        refused = self.bench.wait_for_event("call.refused")
        self.assertEqual(refused["data"]["call"], payload["call"])


class SettingTests(BenchTests):
    def test_settings_that_cannot_be_used_are_reported_and_the_plugin_waits_for_others(self):
        for options, words in (
                ({}, "no pushes: no MQTT broker is set"),
                ({"host": "localhost", "port": 70_000}, "no pushes: port is no port"),
                ({"host": "localhost", "topic": "a/#"}, "no pushes: topic has + or #"),
                ({"host": "localhost", "login_file": "/none"}, "login_file cannot be read"),
                ({"host": "localhost", "session_seconds": 0}, "session_seconds is not between"),
                ({"host": "localhost", "ttl_ms": 1}, "no pushes: ttl_ms is not between"),
                ({"host": "localhost", "ask_first": "x"}, "no pushes: ask_first is none of")):
            gateway = self.bench.launch(**options)
            gateway.wait_for(words)
            gateway.stop()

    def test_the_page_and_the_manifest_have_the_options_that_there_are(self):
        self.bench.compare_options(OPTIONS)


if __name__ == "__main__":
    unittest.main()
