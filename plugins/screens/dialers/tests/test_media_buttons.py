"""The buttons of a headset for music (AVRCP): a real mpris-proxy between the test's own BlueZ and a
player on the session bus, which is the test's own, too."""
import unittest

import lab
from bluez import PLAYER, Bluez, Served
from dbus_fast import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_property, method

NAME, PATH = "org.mpris.MediaPlayer2.callbroker", "/org/mpris/MediaPlayer2"


class Player(ServiceInterface):
    """A player with one button."""

    def __init__(self):
        super().__init__(PLAYER)
        self.pressed = []

    @method()
    def PlayPause(self):
        self.pressed.append("PlayPause")

    @dbus_property(access=PropertyAccess.READ)
    def PlaybackStatus(self) -> "s":
        return "Playing"


class MediaButtonTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self, starts=False)
        self.desk.start_session()
        self.bluez = Bluez(self, self.desk.bus)
        self.proxy = self.desk.program("mpris-proxy", "mpris-proxy")

    def test_a_player_that_comes_has_the_buttons_of_the_headset(self):
        player = Player()
        Served(self, self.desk.environment["DBUS_SESSION_BUS_ADDRESS"], NAME, [(PATH, player)])
        (properties,) = lab.wait_until(self.proxy.said, lambda: list(
            self.bluez.media.players.values()))
        self.assertEqual(properties["PlaybackStatus"], "Playing")
        self.bluez.press("PlayPause")
        lab.wait_until("the button", lambda: player.pressed == ["PlayPause"])


if __name__ == "__main__":
    unittest.main()
