"""Real telephones, and the plugins for them as the broker runs them: they wait for their telephone,
are killed, come back, and a call is answered through them."""
import os
import shutil
import signal
import tempfile
import unittest
import uuid

import lab
from phonelab import ADAPTERS, free_ports

from callbroker import Admin


class PluginTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def supervise(self, name, **environment):
        """A broker with a virtual clock that runs this plugin."""
        self.identity = "org.callbroker." + name
        broker = lab.Daemon(
            self, self.folder, options=("--test-mode", "--plugin-dir", os.path.join(ADAPTERS, name)),
            environment={**os.environ, "XDG_STATE_HOME": self.folder, **environment})
        self.user = Admin("user", socket=broker.socket, timeout=lab.CEILING)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__, None, None, None)

    def row(self):
        listed = self.user.plugin("list", plugin=self.identity).result()
        return listed["plugins"][0]

    def becomes(self, state):
        lab.wait_until(f"it is not {state}", lambda: self.row()["state"] == state)
        return self.row()

    def waits_for_its_telephone(self, words):
        """And the doctor tells what for: the plugin's words say what to change."""
        first = self.row()
        self.user.advance(ms=60_000).result()
        self.assertEqual((self.row()["state"], self.row()["pid"]), ("starting", first["pid"]))

        def said():
            finding, = self.user.plugin("doctor", plugin=self.identity).result()["findings"]
            self.assertEqual(finding["level"], "warning")
            return words in "\n".join(finding["stderr"])
        lab.wait_until(f"the doctor does not say {words!r}", said)

    def comes_back(self):
        first = self.becomes("ready")
        os.kill(first["pid"], signal.SIGKILL)
        self.becomes("backoff")
        self.user.advance(ms=1_000).result()
        second = self.becomes("ready")
        self.assertEqual((second["starts"], second["exit"]), (first["starts"] + 1, {"signal": 9}))
        self.assertNotEqual(second["pid"], first["pid"])

    def takes_a_call(self):
        def calls():
            return self.user.request("call.list", {}).result()["calls"]
        lab.wait_until("nobody calls", calls)
        call = calls()[0]["call"]
        for verb in ("call.answer", "call.end"):
            done = self.user.request(verb, {"call": call, "wait": "completed"}).result()
            self.assertEqual([one["state"] for one in done["actions"]], ["fulfilled"])
        lab.wait_until("it is not over", lambda: not calls())

    def test_baresip(self):
        ports = free_ports(64)
        self.supervise("baresip", BARESIP_CONTROL=f"127.0.0.1:{ports + 3}")
        self.waits_for_its_telephone(f"waiting for baresip at 127.0.0.1:{ports + 3} (")
        phone = lab.Baresip(self, self.folder, "bob", ports=ports)
        self.comes_back()
        carol = lab.Caller(self, self.folder, "carol", phone)
        self.takes_a_call()
        self.assertEqual(carol.wait(), 0)

    def test_linphone(self):
        pipe = f"callbroker-{uuid.uuid4()}"
        self.supervise("linphone", LINPHONE_PIPE=pipe)
        self.waits_for_its_telephone(f"no linphone-daemon with --pipe {pipe} runs")
        phone = lab.Linphone(self, self.folder, "bob", pipe=pipe)
        self.comes_back()
        carol = lab.Caller(self, self.folder, "carol", phone)
        self.takes_a_call()
        self.assertEqual(carol.wait(), 0)

    def test_ofono(self):
        modem = lab.Modem(self)
        ofono = lab.Ofono(self, self.folder, modem)
        # What it needs of Python is the distribution's.
        self.supervise("ofono", DBUS_SYSTEM_BUS_ADDRESS=ofono.address, PATH="/usr/bin:/bin")
        self.waits_for_its_telephone("the modem /phonesim is switched off")
        self.user.plugin("set_option", plugin=self.identity, option="power", value=True).result()
        self.user.advance(ms=5_000).result()    # it has no session to be told goodbye in
        self.comes_back()
        modem.rings("+15550101")
        self.takes_a_call()


if __name__ == "__main__":
    unittest.main()
