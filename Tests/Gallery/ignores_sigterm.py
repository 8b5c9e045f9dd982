#!/usr/bin/env python3
"""It ends at SIGTERM; it does not.

Breaks: stops_at_sigterm
"""
import signal

from honest import Telephone

signal.signal(signal.SIGTERM, signal.SIG_IGN)
Telephone().run()
