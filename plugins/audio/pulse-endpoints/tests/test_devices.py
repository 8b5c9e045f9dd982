"""What of the sound server's lists become endpoints. The sound server is not needed."""
import unittest

import hall  # noqa: F401  (finds the plugin)
from devices import NAME_BYTES_MAX, endpoints, kind, places, shortened, used

LAPTOP = {
    "name": "alsa_output.pci", "description": "Built-in Audio", "active_port": "speaker",
    "properties": {"alsa.card": "0", "device.form_factor": "internal"},
    "ports": [
        {"name": "speaker", "description": "Speaker", "type": "Speaker",
         "availability": "availability unknown"},
        {"name": "headphones", "description": "Headphones", "type": "Headphones",
         "availability": "not available"}]}
BUDS = {
    "name": "bluez_output.1", "description": "Ada's buds", "active_port": "headset-output",
    "properties": {"device.api": "bluez5", "api.bluez5.address": "00:11"},
    "ports": [{"name": "headset-output", "description": "Headset", "type": "Headset",
               "availability": "available"}]}
SOURCES = [
    {"name": "alsa_output.pci.monitor", "monitor_source": "alsa_output.pci",
     "properties": {"alsa.card": "0", "device.class": "monitor"}},
    {"name": "alsa_input.pci", "properties": {"alsa.card": "0"}},
    {"name": "bluez_input.1", "properties": {"api.bluez5.address": "00:11"}}]


class DevicesTests(unittest.TestCase):
    def setUp(self):
        self.places = places([LAPTOP, BUDS], SOURCES)

    def test_a_device_with_several_ports_is_several_places(self):
        self.assertEqual([each.id for each in self.places], [
            "alsa_output.pci#speaker", "alsa_output.pci#headphones", "bluez_output.1"])

    def test_kinds_are_those_of_bus_port_and_form(self):
        self.assertEqual([each.kind for each in self.places], ["speaker", "wired", "bluetooth"])
        for form, wanted in (("handset", "earpiece"), ("headset", "wired"), ("tv", "speaker")):
            self.assertEqual(kind({"properties": {"device.form_factor": form}}, None), wanted)

    def test_the_microphone_is_that_of_the_device_and_no_monitor(self):
        self.assertEqual([each.source for each in self.places],
                         ["alsa_input.pci", "alsa_input.pci", "bluez_input.1"])

    def test_the_choice_is_used_while_it_is_plugged_in(self):
        def id_of(chosen):
            return used(self.places, chosen, "alsa_output.pci").id
        self.assertEqual(id_of("bluez_output.1"), "bluez_output.1")
        for elsewhere in ("", "alsa_output.pci#headphones", "gone"):
            self.assertEqual(id_of(elsewhere), "alsa_output.pci#speaker")
        self.assertIsNone(used(self.places, "", "another"))

    def test_the_list_says_what_can_be_chosen(self):
        states = [each["state"] for each in endpoints(self.places, self.places[2])]
        self.assertEqual(states, ["available", "unavailable", "in_use"])

    def test_of_many_devices_sixteen_are_listed_with_the_one_in_use(self):
        many = places([{"name": f"sink{number}"} for number in range(20)], [])
        listed = endpoints(many, many[19])
        self.assertEqual(len(listed), 16)
        self.assertEqual((listed[-1]["endpoint"], listed[-1]["state"]), ("sink19", "in_use"))

    def test_a_long_name_is_cut_between_characters(self):
        self.assertEqual(shortened("ä" * NAME_BYTES_MAX), "ä" * (NAME_BYTES_MAX // 2))
        self.assertEqual(shortened("a" + "ä" * NAME_BYTES_MAX), "a" + "ä" * 63)


if __name__ == "__main__":
    unittest.main()
