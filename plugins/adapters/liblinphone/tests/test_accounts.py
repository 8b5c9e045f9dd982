"""The telephone with an account, at a real registrar."""
import os
import unittest

import lab
from registered_account import AccountTests


class LiblinphoneAccountTests(AccountTests):
    IDENTITY = "org.example.ada"
    PLUGIN, MANIFEST = lab.PLUGIN, "org.callbroker.liblinphone.plugin.json"

    def begin(self, *options, environment=None, identity=IDENTITY):
        return lab.checked(self, lab.Program(self, self.folder, identity, [
            lab.PROGRAM, "--identity", identity, "--socket", self.daemon.socket, "--sound", "none",
            "--folder", f"{self.folder}/{identity}", "--verbose", *options],
            {**os.environ, **lab.ENVIRONMENT, **(environment or {})}))

    @staticmethod
    def reason(words):
        return {"reason": words}


del AccountTests                                # the tests of it are those of its subclass


if __name__ == "__main__":
    unittest.main()
