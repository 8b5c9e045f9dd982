#!/usr/bin/env python3
"""Killed and started again, it registers; it finds its own lock.

Breaks: dies_without_harm
"""
import os

from honest import main, Telephone


class FaultyProvider(Telephone):
    def connect(self):
        lock = os.path.join(os.environ["XDG_RUNTIME_DIR"], "lock")
        if not self.session:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
        super().connect()


try:
    main(FaultyProvider)
except FileExistsError:
    raise SystemExit("another one runs") from None
