"""on-a-socket.py PROGRAM ...: starts the program as the broker starts a plugin, with a socket on its
standard input and output, and passes on what comes to our own input and from the socket."""
import os
import socket
import subprocess
import sys
import threading

ours, theirs = socket.socketpair()
program = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=theirs)
theirs.close()


def pass_on():
    while data := os.read(0, 65536):
        ours.sendall(data)


threading.Thread(target=pass_on, daemon=True).start()
while data := ours.recv(65536):
    os.write(1, data)
sys.exit(program.wait())
