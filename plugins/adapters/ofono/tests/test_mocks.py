"""The mock of ModemManager has what its introspection files have, in their types."""
import unittest

from dbus_fast.introspection import Node

import lab  # noqa: F401
from mock_modem_manager import (CALL, GSM, INTERFACES, MODEM, PROPERTIES, OBJECTS, VOICE, WRITTEN,
                                ModemManagerMock)

FILES = "/usr/share/dbus-1/interfaces/{}.xml"           # of the package modemmanager-dev


def written(interface):
    """An interface as ModemManager describes it."""
    with open(FILES.format(interface), encoding="utf-8") as file:
        return next(each for each in Node.parse(file.read()).interfaces if each.name == interface)


class IntrospectionTests(unittest.TestCase):
    def setUp(self):
        bus = lab.Bus(self, lab.folder(self))
        self.mock = ModemManagerMock(self, bus.address)

    def test_methods_are_those_of_modem_manager(self):
        compared = 0
        for (interface, member), (takes, gives, _) in self.mock.mock.methods.items():
            if interface in (PROPERTIES, OBJECTS):
                continue
            method = next(each for each in written(interface).methods if each.name == member)
            # The file leaves out the direction of one argument, which is into the method then.
            ways = [[each.signature for each in side] for side in (method.in_args, method.out_args)]
            self.assertEqual((takes, gives), tuple("".join(way) for way in ways), member)
            compared += 1
        self.assertGreater(compared, 12)

    def test_properties_are_those_of_modem_manager(self):
        mine = {interface: {name: value.signature for name, value in properties.items()}
                for interface, properties in self.mock.about.items()} | {CALL: WRITTEN}
        for interface, properties in mine.items():
            theirs = {each.name: each.signature for each in written(interface).properties}
            for name, signature in properties.items():
                self.assertEqual(theirs.get(name), signature, name)
        self.assertEqual(set(mine), {MODEM, GSM, VOICE, CALL})

    def test_signals_are_those_of_modem_manager(self):
        for interface, member, signature in ((VOICE, "CallAdded", "o"), (VOICE, "CallDeleted", "o"),
                                             (CALL, "StateChanged", "iiu"),
                                             (MODEM, "StateChanged", "iiu")):
            signal = next(each for each in written(interface).signals if each.name == member)
            self.assertEqual("".join(each.signature for each in signal.args), signature)
        self.assertEqual(set(INTERFACES), {MODEM, VOICE, CALL})


if __name__ == "__main__":
    unittest.main()
