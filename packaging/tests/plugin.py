#!/usr/bin/python3
"""The provider of `phone.py` as a plugin, with a telephone of its own. Says on standard error what it does."""
import signal
import socket
import subprocess
import sys

import phone


def say(word):
    print(word, file=sys.stderr, flush=True)


socket.socket(socket.AF_INET).close()
say("network")
telephone = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
say(f"telephone {telephone.pid}")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
phone.run(say, signal.pause)
