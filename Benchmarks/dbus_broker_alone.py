#!/usr/bin/env python3
"""Runs dbus-broker on a host without systemd:  dbus_broker_alone.py SOCKET CONFIG

dbus-broker itself only forwards messages; its launcher reads the configuration
and hands it the policy.  The launcher in turn expects from systemd

  - the listening socket, as descriptor 3 (LISTEN_FDS);
  - a journal socket at /run/systemd/journal/socket, which it insists on;
  - a bus on which to ask systemd to start services: here, the new bus itself.
    Nobody will answer there, and nobody asks.

So this makes a mount namespace of its own with an empty /run (hence root), binds a
journal socket that swallows everything, and becomes the launcher.  Nothing is
changed outside the namespace, and all of it is gone when the launcher ends.
"""
import ctypes
import os
import signal
import socket
import sys

CLONE_NEWNS, MS_REC, MS_PRIVATE, PR_SET_PDEATHSIG = 0x20000, 0x4000, 1 << 18, 1
LISTEN_FD = 3
JOURNAL = "/run/systemd/journal/socket"
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())} (this needs root)")


def hide_run():
    """An empty /run that only this process and its children see."""
    check(libc.unshare(CLONE_NEWNS), "unshare")
    check(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None), "making mounts private")
    check(libc.mount(b"none", b"/run", b"tmpfs", ctypes.c_ulong(0), None), "mounting /run")


def swallow_journal():
    """A child that reads and forgets what is logged, as long as this process lives."""
    os.makedirs(os.path.dirname(JOURNAL))
    journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    journal.bind(JOURNAL)
    parent = os.getpid()
    if os.fork():
        journal.close()
        return
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        journal.recv(65536)
    os._exit(0)


def become_launcher(path, configuration):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(4096)
    os.dup2(listener.fileno(), LISTEN_FD, inheritable=True)
    if listener.fileno() != LISTEN_FD:
        listener.close()
    os.set_inheritable(LISTEN_FD, True)
    os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={path}"}
    os.execvp("dbus-broker-launch", ["dbus-broker-launch", "--scope", "user", "--config-file", configuration])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: dbus_broker_alone.py SOCKET CONFIG")
    hide_run()
    swallow_journal()
    become_launcher(*sys.argv[1:])
