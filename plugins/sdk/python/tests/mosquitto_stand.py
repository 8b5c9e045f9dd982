"""A real mosquitto of the test's own, and servers that publish there."""
import glob
import json
import os
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "desktop", "hooks", "tests"))

from post_office import Authority, free_port  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402


class Mosquitto:
    """With what it holds for its clients, which survives its restart."""

    persistence = True

    def __init__(self, test, folder, *settings, port=0):
        self.test, self.folder, self.port = test, folder, port or free_port()
        self.settings = [
            f"listener {self.port} 127.0.0.1", f"persistence {str(self.persistence).lower()}", "user root",
            f"persistence_location {folder}/", *(settings or ("allow_anonymous true",))]
        self.login = ()
        self.start()

    def start(self):
        path = os.path.join(self.folder, "mosquitto.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.settings) + "\n")
        self.program = Program(self.test, self.folder, "mosquitto", ["mosquitto", "-c", path, "-v"])
        wait_until("mosquitto listens", self.answers)

    def answers(self):
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def publish(self, topic, payload, *arguments):
        """As a server does, with mosquitto's own program; bytes or an object."""
        text = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        subprocess.run(
            ["mosquitto_pub", "-V", "5", "-h", "localhost", "-p", str(self.port), "-q", "1",
             "-t", topic, "-s" if text else "-n", *self.login, *arguments], input=text, check=True,
            timeout=CEILING)


class SecureMosquitto(Mosquitto):
    """With TLS, and a login for the user ada."""

    def __init__(self, test, folder):
        self.authority = Authority(folder)
        certificate = self.authority.certify("DNS:localhost", "IP:127.0.0.1")
        passwords = os.path.join(folder, "passwords")
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "ada", "s3cret"], check=True,
                       stderr=subprocess.DEVNULL, timeout=CEILING)
        super().__init__(test, folder, "allow_anonymous false", f"password_file {passwords}",
                         f"certfile {certificate}", f"keyfile {certificate}")
        self.login = ("--cafile", self.authority.certificate, "-u", "ada", "-P", "s3cret")

    def login_file(self):
        path = os.path.join(self.folder, "login")
        with open(path, "w", encoding="utf-8") as file:
            file.write("ada\ns3cret\n")
        os.chmod(path, 0o600)
        return path


class ChoosyMosquitto(Mosquitto):
    """With mosquitto's own plugin for access, which refuses each subscription until all are allowed."""

    def __init__(self, test, folder):
        self.access = os.path.join(folder, "access.json")
        self.write_access(subscribe=False)
        plugin, = glob.glob("/usr/lib/*/mosquitto_dynamic_security.so")
        super().__init__(test, folder, "allow_anonymous true", f"plugin {plugin}",
                         f"plugin_opt_config_file {self.access}")

    def write_access(self, subscribe):
        with open(self.access, "w", encoding="utf-8") as file:
            json.dump({"clients": [], "roles": [], "defaultACLAccess": {
                "publishClientSend": True, "publishClientReceive": True, "unsubscribe": True,
                "subscribe": subscribe}}, file)

    def allow_all(self):
        """After a restart."""
        self.program.stop()
        self.write_access(subscribe=True)
        self.start()
