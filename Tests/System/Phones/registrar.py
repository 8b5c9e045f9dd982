"""A real registrar for telephones: Kamailio on loopback, which demands passwords, keeps the
contacts and passes calls on; and a server of STUN. Both tell what they were asked."""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading

from phonelab import CEILING, Program, free_ports, has_udp_port, wait_until

CONFIG = """\
#!KAMAILIO
debug=1
log_stderror=yes
log_prefix=""
children=1
tcp_children=1
socket_workers=1
disable_core_dump=yes
auto_aliases=no
server_header="Server: registrar"
listen=udp:127.0.0.1:{sip}
listen=tcp:127.0.0.1:{sip}
listen=udp:127.0.0.1:{proxy}
listen=tcp:127.0.0.1:{proxy}
listen=tls:127.0.0.1:{tls}
{aliases}
enable_tls=yes
loadmodule "tm.so"
loadmodule "tmx.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "xlog.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "nathelper.so"
loadmodule "auth.so"
loadmodule "tls.so"
loadmodule "jsonrpcs.so"
modparam("usrloc", "db_mode", 0)
modparam("usrloc", "timer_interval", 1)
modparam("registrar", "max_expires", {expires})
modparam("registrar", "min_expires", 1)
modparam("registrar", "default_expires", {expires})
modparam("registrar", "received_avp", "$avp(received)")
modparam("nathelper", "received_avp", "$avp(received)")
modparam("auth", "qop", "auth")
modparam("tls", "tls_method", "TLSv1.2+")
modparam("tls", "certificate", "{folder}/certificate.pem")
modparam("tls", "private_key", "{folder}/key.pem")
modparam("tls", "verify_certificate", 0)
modparam("jsonrpcs", "transport", 4)
modparam("jsonrpcs", "dgram_socket", "{folder}/control")

request_route {{
    xlog("L_NOTICE", "asked: $rm $tU over $pr at $Rp route $hdr(Route)\\n");
    if (!mf_process_maxfwd_header("10")) {{ sl_send_reply("483", "Too Many Hops"); exit; }}
    if (is_method("CANCEL")) {{ if (t_check_trans()) t_relay(); exit; }}
    if (has_totag()) {{ loose_route(); t_relay(); exit; }}
    if (is_method("REGISTER")) {{ route(REGISTER); exit; }}
    if (is_method("INVITE")) route(CALL);
    loose_route();
    if ($rU =~ "^[+]?[0-9]+$" && "{gateway}" != "") {{
        $du = "sip:{gateway}";
    }} else if (!lookup("location")) {{
        sl_send_reply("404", "Not Found"); exit;
    }}
    record_route();
    t_relay();
}}
route[PASSWORD] {{
    $var(password) = "";
{passwords}
}}
route[REGISTER] {{
    $var(user) = $tU;
    route(PASSWORD);
    if ($var(password) == "" || !pv_www_authenticate("$td", "$var(password)", "0")) {{
        xlog("L_NOTICE", "answered: 401 to $tU\\n");
        auth_challenge("$td", "1"); exit;
    }}
{refusals}
    xlog("L_NOTICE", "answered: 200 to $tU\\n");
    # A call comes back over the connection of the registration: a telephone takes none for TLS.
    if ($pr != "udp") fix_nated_register();
    save("location");
}}
route[CALL] {{
    $var(user) = $fU;
    route(PASSWORD);
    if ($var(password) != "" && !pv_proxy_authenticate("$fd", "$var(password)", "0")) {{
        xlog("L_NOTICE", "answered: 407 to $fU\\n");
        proxy_challenge("$fd", "1"); exit;
    }}
    consume_credentials();
}}
"""


class Kamailio(Program):
    """A registrar of the users whose passwords it has. It listens for UDP and TCP on `sip`, and on
    `proxy` where it stands for an outbound proxy, and for TLS on `tls`. Users in `refusals` are
    refused behind the password, with a status of SIP (`403 Forbidden`). Contacts are valid for
    `expires` seconds at most. Calls to numbers go to `gateway` (HOST:PORT). A call of one of its
    users needs the password, one of others does not. Further `domains` are its own too."""

    def __init__(self, test, folder, name="registrar", passwords=None, refusals=None, expires=600,
                 gateway="", domains=(), ports=None):
        self.ports = self.sip = ports or free_ports(3)
        self.proxy, self.tls = self.sip + 1, self.sip + 2
        self.own = os.path.join(folder, name)
        os.makedirs(self.own, exist_ok=True)
        self.certificate = os.path.join(self.own, "certificate.pem")
        self._certify()
        values = {
            "folder": self.own, "sip": self.sip, "proxy": self.proxy, "tls": self.tls,
            "expires": expires, "gateway": gateway,
            "aliases": "\n".join(f"alias={domain}" for domain in domains),
            "passwords": "\n".join(
                f'    if ($var(user) == "{user}") $var(password) = "{password}";'
                for user, password in (passwords or {}).items()),
            "refusals": "\n".join(
                f'    if ($tU == "{user}") {{ xlog("L_NOTICE", "answered: {status} to $tU\\n"); '
                f'sl_send_reply("{status[:3]}", "{status[4:]}"); exit; }}'
                for user, status in (refusals or {}).items())}
        config = os.path.join(self.own, "kamailio.cfg")
        with open(config, "w", encoding="utf-8") as output:
            output.write(CONFIG.format(**values))
        super().__init__(test, self.own, name, [
            "kamailio", "-f", config, "-DD", "-E", "-m", "32", "-M", "4", "-w", self.own,
            "-Y", self.own], start_new_session=True)
        wait_until(lambda: f"{name} does not listen: {self.said()[-2000:]}", self._listens)

    def stop(self, number=signal.SIGTERM):
        super().stop(number)
        with contextlib.suppress(ProcessLookupError):   # its own, if it was killed
            os.killpg(self.process.pid, signal.SIGKILL)

    def _certify(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-keyout", os.path.join(self.own, "key.pem"), "-out", self.certificate,
             "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True, capture_output=True, timeout=CEILING)

    def _listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(self.said()[-2000:])
        return has_udp_port(self.sip) and has_udp_port(self.proxy) \
            and os.path.exists(os.path.join(self.own, "control")) and self._answers()

    def _answers(self):
        try:
            return self.control("core.uptime")
        except OSError:
            return False

    def control(self, method, *params):
        """One command of Kamailio's own control, such as `ul.dump`; its result, or its error."""
        near = os.path.join(self.own, f"asker-{threading.get_ident()}")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as asker:
            try:
                asker.bind(near)
                asker.settimeout(CEILING)
                asker.sendto(json.dumps({"jsonrpc": "2.0", "method": method, "id": 1,
                                         "params": list(params)}).encode(),
                             os.path.join(self.own, "control"))
                answer = json.loads(asker.recv(1_048_576))
            finally:
                if os.path.exists(near):
                    os.unlink(near)
        return answer.get("result", answer.get("error"))

    def contacts(self, user):
        """The addresses at which a user is registered now, in the registrar's own memory."""
        found = self.control("ul.lookup", "location", user)
        return [each["Contact"]["Address"] for each in found.get("Contacts", [])]

    def forget(self, user):
        """Removes the contacts of a user, as a registrar does that lost its memory."""
        self.control("ul.rm", "location", user)

    def asked(self, method="REGISTER", user=None):
        """The requests that came, each (user, transport, port it came to, header Route or None)."""
        return [(who, over, int(port), None if route == "<null>" else route)
                for said, who, over, port, route in re.findall(
                    r"asked: (\S+) (\S+) over (\w+) at (\d+) route (.*)", self.said())
                if said == method and user in (None, who)]

    def answered(self, user):
        """The statuses with which registrations of a user, and calls by it, were answered here."""
        return [status for status, who in re.findall(r"answered: (.+) to (\S+)", self.said())
                if who == user]


class StunServer:
    """Tells everybody that he is `mapped` for others, with the port that he has. Ends with the
    test."""

    COOKIE = bytes.fromhex("2112a442")

    def __init__(self, test, mapped="192.0.2.7"):
        self.mapped, self.asked = mapped, 0
        self.port = free_ports(1)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", self.port))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        test.addCleanup(self.close)

    def close(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join(CEILING)
        self._socket.close()

    def _serve(self):
        while True:
            request, asker = self._socket.recvfrom(2_048)
            if not request:
                return
            if request[:2] == b"\0\1" and len(request) >= 20:
                self.asked += 1
                self._socket.sendto(self._binding(request[4:20], asker[1]), asker)

    def _binding(self, transaction, port):
        """The answer to a binding request (RFC 5389), for old askers too."""
        plain = port.to_bytes(2, "big") + socket.inet_aton(self.mapped)
        hidden = bytes(one ^ other for one, other in zip(plain, self.COOKIE[:2] + self.COOKIE))
        attributes = b"".join(kind + b"\0\x08\0\1" + address
                              for kind, address in ((b"\0\x20", hidden), (b"\0\1", plain)))
        return b"\1\1" + len(attributes).to_bytes(2, "big") + transaction + attributes
