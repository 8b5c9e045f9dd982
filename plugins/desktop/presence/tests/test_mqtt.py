"""The presence at a real mosquitto."""
import json
import os
import queue
import re
import signal
import unittest
from pathlib import Path

import paho.mqtt.client as mqtt
from presence_bench import CEILING, Bench

import mosquitto_stand  # noqa: E402
from mosquitto_stand import Authority, free_port  # noqa: E402

from mqtt_connection import Unusable, node_id, read_login  # noqa: E402

from current import Presence  # noqa: E402
from mqtt_presence import Topics  # noqa: E402


class Mosquitto(mosquitto_stand.Mosquitto):
    """A broker that forgets all at its end, and a client that keeps what arrives."""

    persistence = False

    def subscriber(self, configure=lambda client: None):
        """The messages, (topic, payload, retained), as they arrive."""
        messages, ready = queue.Queue(), queue.Queue()
        versions = getattr(mqtt, "CallbackAPIVersion", None)
        client = mqtt.Client(*((versions.VERSION1,) if versions else ()))
        configure(client)
        client.on_message = lambda _c, _d, message: messages.put(
            (message.topic, message.payload.decode(), bool(message.retain)))
        client.on_subscribe = lambda *_: ready.put(True)
        client.connect("127.0.0.1", self.port)
        client.subscribe("#", qos=1)
        client.loop_start()
        self.test.addCleanup(client.loop_stop)
        self.test.addCleanup(client.disconnect)
        ready.get(timeout=CEILING)
        return messages


class Inbox:
    """What a subscriber has, by topic."""

    def __init__(self, messages):
        self.messages, self.latest = messages, {}

    def wait_for(self, topic, payload=None):
        """The payload of that topic, once it is the expected one, or there is any."""
        while topic not in self.latest or payload not in (None, self.latest[topic]):
            arrived, text, _ = self.messages.get(timeout=CEILING)
            self.latest[arrived] = text
        return self.latest[topic]


class MosquittoTests(unittest.TestCase):
    def setUp(self):
        self.bench = Bench(self)

    def test_the_presence_is_published_and_kept_for_later_subscribers(self):
        server = Mosquitto(self, self.bench.folder)
        inbox = Inbox(server.subscriber())
        self.bench.start(mqtt_host="localhost", mqtt_port=server.port, mqtt_topic="desk")
        inbox.wait_for("desk/availability", "online")
        app = self.bench.app()
        call = self.bench.answered(app)
        inbox.wait_for("desk/presence", "in_call")
        inbox.wait_for("desk/in_use", "ON")
        later = Inbox(server.subscriber())
        for topic, payload in (("presence", "in_call"), ("in_use", "ON"), ("availability", "online")):
            later.wait_for("desk/" + topic, payload)
        self.bench.end(call)
        inbox.wait_for("desk/presence", "free")
        inbox.wait_for("desk/in_use", "OFF")

    def test_the_discovery_names_the_topics_that_are_published(self):
        server = Mosquitto(self, self.bench.folder)
        inbox = Inbox(server.subscriber())
        self.bench.start(mqtt_host="localhost", mqtt_port=server.port, mqtt_discovery="ha")
        node = node_id()
        topic = f"ha/binary_sensor/{node}_in_use/config"
        config = json.loads(inbox.wait_for(topic))
        inbox.wait_for(config["availability_topic"], config["payload_available"])
        inbox.wait_for(config["state_topic"], config["payload_off"])

    def test_one_that_ends_or_is_killed_is_not_available(self):
        server = Mosquitto(self, self.bench.folder)
        for number in (signal.SIGTERM, signal.SIGKILL):
            inbox = Inbox(server.subscriber())
            plugin = self.bench.start(mqtt_host="localhost", mqtt_port=server.port,
                                      mqtt_topic="desk")
            inbox.wait_for("desk/availability", "online")
            plugin.kill(number)
            inbox.wait_for("desk/availability", "offline")

    def test_without_a_call_broker_the_presence_is_not_available(self):
        server = Mosquitto(self, self.bench.folder)
        inbox = Inbox(server.subscriber())
        self.bench.start("--patience", "1", mqtt_host="localhost", mqtt_port=server.port,
                         mqtt_topic="desk")
        inbox.wait_for("desk/availability", "online")
        self.bench.broker.kill()
        inbox.wait_for("desk/availability", "offline")
        self.bench.broker.start()
        inbox.wait_for("desk/availability", "online")

    def test_a_server_that_is_not_there_yet_or_restarts_is_used_when_it_is_there(self):
        port = free_port()
        plugin = self.bench.start(mqtt_host="localhost", mqtt_port=port, mqtt_topic="desk")
        plugin.wait_for("no MQTT broker answers at localhost")
        server = Mosquitto(self, self.bench.folder, port=port)
        Inbox(server.subscriber()).wait_for("desk/presence", "free")
        server.program.stop(signal.SIGKILL)
        plugin.wait_for("is lost; trying again")
        self.bench.answered(self.bench.app())
        server.start()
        Inbox(server.subscriber()).wait_for("desk/presence", "in_call")

    def test_a_login_and_tls_are_used(self):
        folder = self.bench.folder
        authority = Authority(folder)
        certificate = authority.certify("DNS:localhost", "IP:127.0.0.1")
        passwords = os.path.join(folder, "passwords")
        os.system(f"mosquitto_passwd -b -c {passwords} ada s3cret 2>/dev/null")
        server = Mosquitto(self, folder, "allow_anonymous false", f"password_file {passwords}",
                           f"certfile {certificate}", f"keyfile {certificate}")
        login = os.path.join(folder, "login")
        with open(login, "w", encoding="utf-8") as file:
            file.write("ada\ns3cret\n")
        os.chmod(login, 0o600)

        def configure(client):
            client.tls_set(authority.certificate)
            client.username_pw_set("ada", "s3cret")
            client.tls_insecure_set(True)       # by the address: only the plugin is tested
        inbox = Inbox(server.subscriber(configure))
        plugin = self.bench.start(
            mqtt_host="localhost", mqtt_port=server.port, mqtt_topic="desk", mqtt_tls=True,
            mqtt_ca_file=authority.certificate, mqtt_login_file=login)
        inbox.wait_for("desk/presence", "free")
        self.assertNotIn("s3cret", plugin.said())

    def test_a_login_that_is_refused_is_reported(self):
        passwords = os.path.join(self.bench.folder, "passwords")
        os.system(f"mosquitto_passwd -b -c {passwords} ada s3cret 2>/dev/null")
        server = Mosquitto(self, self.bench.folder, "allow_anonymous false",
                           f"password_file {passwords}")
        plugin = self.bench.start(mqtt_host="localhost", mqtt_port=server.port)
        plugin.wait_for("the MQTT broker at localhost refuses")
        self.bench.wait_for_shown("free")


class FormatTests(unittest.TestCase):
    """As Home Assistant documents it: integrations/mqtt, sensor.mqtt and binary_sensor.mqtt."""

    def configurations(self):
        topics = Topics("calls/ada", "homeassistant", "callbroker_desk_ada", "ada at desk")
        return {topic: json.loads(text) for topic, text in topics.configurations()}

    def test_each_topic_is_prefix_component_object_id_config(self):
        topics = list(self.configurations())
        self.assertEqual([topic.split("/")[1] for topic in topics], ["sensor", "binary_sensor"])
        for topic in topics:
            self.assertRegex(topic, r"^homeassistant/[a-z_]+/[a-zA-Z0-9_-]+/config$")

    def test_both_entities_belong_to_one_device_and_have_ids_of_their_own(self):
        sensor, binary = self.configurations().values()
        self.assertEqual(sensor["device"], binary["device"])
        self.assertNotEqual(sensor["unique_id"], binary["unique_id"])
        self.assertTrue(sensor["device"]["identifiers"])
        self.assertEqual(sensor["origin"]["name"], "CallBroker")

    def test_the_sensor_is_an_enumeration_that_has_every_state(self):
        sensor, _ = self.configurations().values()
        self.assertEqual(sensor["device_class"], "enum")
        self.assertNotIn("unit_of_measurement", sensor)
        topics = Topics("calls/ada", "homeassistant", "n", "p")
        for state in ("free", "ringing", "in_call", "on_hold", "ringing_in_call",
                      "do_not_disturb"):
            self.assertIn(state, sensor["options"])
            published = dict(topics.values(Presence(state, 0)))
            self.assertEqual(published[sensor["state_topic"]], state)

    def test_the_binary_sensor_is_on_while_there_is_a_call_that_is_not_only_ringing(self):
        _, binary = self.configurations().values()
        topics = Topics("calls/ada", "homeassistant", "n", "p")
        on = [state for state in ("free", "ringing", "in_call", "on_hold", "ringing_in_call",
                                  "do_not_disturb")
              if dict(topics.values(Presence(state, 0)))[binary["state_topic"]]
              == binary["payload_on"]]
        self.assertEqual(on, ["in_call", "on_hold", "ringing_in_call"])

    def test_without_a_prefix_nothing_is_discovered_and_without_a_presence_available(self):
        self.assertEqual(list(Topics("t", "", "n", "p").configurations()), [])
        self.assertEqual(list(Topics("t", "", "n", "p").values(None)),
                         [("t/availability", "offline")])

    def test_the_id_of_the_node_has_the_characters_that_are_allowed(self):
        self.assertTrue(re.fullmatch(r"[a-zA-Z0-9_-]+", node_id()))


class SettingTests(unittest.TestCase):
    def test_settings_that_cannot_be_used_are_reported_and_the_rest_goes_on(self):
        bench = Bench(self)
        for options, words in (({"mqtt_port": 70_000}, "no MQTT: mqtt_port is no port"),
                               ({"mqtt_topic": "a/#"}, "no MQTT: mqtt_topic has + or #"),
                               ({"mqtt_discovery": "x" * 2_000}, "no MQTT: mqtt_discovery has"),
                               ({"mqtt_tls": True, "mqtt_ca_file": "/none"}, "no MQTT: mqtt_ca_file")):
            plugin = bench.start(mqtt_host="localhost", **options)
            plugin.wait_for(words)
            bench.wait_for_shown("free")
            plugin.stop()

    def test_a_login_that_others_may_read_or_that_is_incomplete_is_refused(self):
        folder = Bench(self).folder
        path = os.path.join(folder, "login")
        for text, mode, words in (("a\nb\n", 0o644, "chmod 600"), ("a\n", 0o600, "first line"),
                                  (None, 0o600, "cannot be read")):
            if text is None:
                os.remove(path)
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(path, mode)
            with self.assertRaisesRegex(Unusable, words):
                read_login(Path(path))


if __name__ == "__main__":
    unittest.main()
