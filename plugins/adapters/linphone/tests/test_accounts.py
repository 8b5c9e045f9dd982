"""A linphone-daemon that is started with an account, at a real registrar."""
import os
import unittest

import lab
from registered_account import AccountTests


class LinphoneAccountTests(AccountTests):
    IDENTITY = "org.example.ada"
    PLUGIN, MANIFEST = lab.PLUGIN, "org.callbroker.linphone.plugin.json"

    def begin(self, *options, environment=None, identity=IDENTITY):
        pipe = f"callbroker-{identity}-{os.getpid()}"
        self.addCleanup(lab.remove_socket, pipe)
        self.addCleanup(self.end_all, pipe)
        return lab.checked(self, lab.Program(self, self.folder, identity, [
            os.environ["LINPHONE_PROVIDER"], "--pipe", pipe, "--identity", identity, "--start",
            "--socket", self.daemon.socket, "--memory", f"{self.folder}/{identity}.json",
            "--folder", f"{self.folder}/{identity}", "--verbose", *options],
            {**os.environ, **(environment or {})}))

    @staticmethod
    def end_all(pipe):
        lab.kill_all(lab.processes("linphone-daemon", pipe))

    @staticmethod
    def reason(words):
        return {"reason": words}


del AccountTests                                # the tests of it are those of its subclass


if __name__ == "__main__":
    unittest.main()
