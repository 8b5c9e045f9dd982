"""The daemon of Plasma Dialer, asked as its windows ask it, which need Wayland."""
import sysconfig
import unittest

import lab

DAEMON = f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}/libexec/modem-daemon"
UTILS, PATH = "org.kde.telephony.CallUtils", "/org/kde/telephony/CallUtils/tel/mm"


class PlasmaTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.desk.start_session()
        self.daemon = self.desk.program("modem-daemon", DAEMON, QT_QPA_PLATFORM="offscreen")
        self.daemon.wait_for(f'found new device: "{lab.MODEM}"')
        self.desk.wait_for_name(UTILS)
        self.app = self.desk.app()

    def asked(self, method, number, *more):
        self.desk.output("busctl", "--user", "call", UTILS, PATH, UTILS, method,
                         "s" * (2 + len(more)), lab.MODEM, number, *more)

    def test_a_call_is_shown_answered_given_tones_and_hung_up(self):
        tones = []
        self.app.on_action("play_dtmf")(lambda action: tones.append(action.arguments["digits"]))
        call = self.desk.rings(self.app)
        path = lab.ROOT_PATH + "/Call/0"
        self.daemon.wait_for(f'call added: "{lab.MODEM}" "{path}"')
        self.asked("accept", path)
        self.desk.wait_for(call, "active")
        self.daemon.wait_for("CallState::Active")
        self.asked("sendDtmf", path, "5")
        lab.wait_until("the tone", lambda: tones == ["5"])
        self.asked("hangUp", path)
        self.desk.wait_for(call, None)
        self.daemon.wait_for("CallState::Terminated")

    def test_a_number_is_dialed(self):
        self.asked("dial", "+15550102")
        lab.wait_until(self.daemon.said, lambda: self.desk.user.calls)
        (call,) = self.desk.user.calls.values()
        self.assertEqual((call["direction"], call["remote"]["value"]), ("outgoing", "+15550102"))


if __name__ == "__main__":
    unittest.main()
