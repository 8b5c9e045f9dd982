#!/usr/bin/env python3
"""It registers within 10 s; it dies instead.

Breaks: registers
"""
raise SystemExit(3)
