"""Real browsers with the extension, each with a home folder of its own, without a window. Both have
the same methods, so that each test runs in both."""
import os
import signal
import subprocess
import sys

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from marionette import Marionette

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]
os.environ.setdefault("CEILING", "120")         # a browser takes long to start on a busy machine

from chromium_driver import quit_driver, start_driver  # noqa: E402
from firefox_profile import write_profile  # noqa: E402
from programs import CEILING, Program, start_until, wait_until  # noqa: E402

EXTENSION = os.path.join(PLUGIN, "extension")
CHROMIUM_ID, FIREFOX_ID = "hefmehnkfomhoknphabafaomhigfjobd", "web-calls@callbroker.org"
PREFERENCES = {
    "media.navigator.streams.fake": True,
    "media.autoplay.default": 0, "media.autoplay.block-webaudio": False,
    "media.autoplay.blocking_policy": 0,
    "media.peerconnection.ice.loopback": True, "media.peerconnection.ice.obfuscate_host_addresses": False,
    "media.peerconnection.ice.link_local": True,
    "extensions.background.idle.timeout": 2000,
    "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.server": "",
    "browser.startup.page": 0, "browser.tabs.unloadOnLowMemory": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "privacy.webrtc.hideGlobalIndicator": True, "browser.aboutwelcome.enabled": False,
}


def install_host(home):
    """What the README says, for a home folder."""
    subprocess.run([os.path.join(PLUGIN, "web_calls.py"), "--install"], check=True, timeout=CEILING,
                   stdout=subprocess.DEVNULL, env={**os.environ, "HOME": home})


def environment(home, socket_path):
    return {"PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8",
            "BROKER_SOCKET": socket_path, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "PULSE_SERVER": f"unix:{home}/sound"}


def start_sound(test, folder, home):
    """A sound server without a device: Firefox renders no sound without one."""
    Program(test, folder, "pulseaudio", [
        "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
        "-L", "module-null-sink", "-L", f"module-native-protocol-unix auth-anonymous=1 socket={home}/sound"],
        {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "DBUS_SESSION_BUS_ADDRESS": "disabled:"})
    wait_until("pulseaudio serves", os.path.exists, os.path.join(home, "sound"))


class Chromium:
    """Debian's Chromium, driven by its own driver."""

    name, identity = "Chromium", "org.callbroker.web-calls.chromium"

    def __init__(self, test, folder, socket_path, hosts=(), allows=True):
        self.home = os.path.join(folder, "chromium")
        self.profile = os.path.join(self.home, ".config", "chromium")
        os.makedirs(self.profile)
        install_host(self.home)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        options.accept_insecure_certs = True
        for argument in self.arguments(hosts, allows):
            options.add_argument(argument)
        self.driver = start_driver(options, env=environment(self.home, socket_path),
                                   log_path=os.path.join(folder, "chromedriver.log"))
        self.driver.set_script_timeout(CEILING)
        self.is_closed = False
        test.addCleanup(self.close)

    def arguments(self, hosts, allows):
        rules = ",".join(f"MAP {host} 127.0.0.1" for host in hosts)
        return [f"--user-data-dir={self.profile}", f"--load-extension={EXTENSION}", "--headless=new",
                "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--use-fake-device-for-media-stream", *(["--use-fake-ui-for-media-stream"] if allows else []),
                "--autoplay-policy=no-user-gesture-required",
                "--disable-features=DisableLoadExtensionCommandLineSwitch,WebRtcHideLocalIpsWithMdns",
                *([f"--host-resolver-rules={rules}"] if rules else [])]

    def open(self, address):
        self.driver.switch_to.new_window("tab")
        self.driver.get(address)
        return self.driver.current_window_handle

    def run(self, tab, script, *values):
        """The result of a script in a tab, which may be a promise."""
        self.driver.switch_to.window(tab)
        return self.driver.execute_script(f"return (async () => {{ {script} }})()", *values)

    def click(self, tab, selector):
        """A click as of the user."""
        self.driver.switch_to.window(tab)
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def close_tab(self, tab):
        self.driver.switch_to.window(tab)
        self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])

    def pid(self):
        return int(os.readlink(os.path.join(self.profile, "SingletonLock")).rpartition("-")[2])

    def kill(self):
        os.kill(self.pid(), signal.SIGKILL)

    def crash(self, tab):
        self.driver.switch_to.window(tab)
        try:
            self.driver.execute_cdp_cmd("Page.crash", {})
        except WebDriverException:              # the tab has crashed
            pass

    def disable_extension(self):
        page = self.open("chrome://extensions")
        self.run(page, f"await chrome.management.setEnabled('{CHROMIUM_ID}', false)")

    def close(self):
        if not self.is_closed:
            self.is_closed = True
            quit_driver(self.driver)


class Firefox:
    """Debian's Firefox ESR, driven by Marionette."""

    name, identity = "Firefox", "org.callbroker.web-calls.firefox"

    def __init__(self, test, folder, socket_path, hosts=(), allows=True):
        self.home = os.path.join(folder, "firefox")
        self.profile = os.path.join(self.home, "profile")
        write_profile(self.profile, {
            **PREFERENCES, "marionette.port": 0, "network.dns.localDomains": ",".join(hosts),
            "media.navigator.permission.disabled": allows})
        install_host(self.home)
        start_sound(test, folder, self.home)
        self.port_file = os.path.join(self.profile, "MarionetteActivePort")
        self.program = self.started(test, folder, environment(self.home, socket_path))
        self.marionette = wait_until("Firefox answers", self.connection)
        test.addCleanup(self.marionette.close)
        self.marionette.send("WebDriver:NewSession", acceptInsecureCerts=True)
        self.marionette.send("WebDriver:SetTimeouts", script=int(1000 * CEILING))
        self.marionette.send("Addon:Install", path=EXTENSION, temporary=True, allowPrivateBrowsing=True)

    def started(self, test, folder, variables):
        """Firefox with a port."""
        return start_until(lambda: Program(test, folder, "firefox-esr", [
            "firefox-esr", "--headless", "--marionette", "-remote-allow-system-access", "--no-remote",
            "--profile", self.profile], variables), lambda: os.path.exists(self.port_file))

    def connection(self):
        with open(self.port_file, encoding="ascii") as file:
            port = file.read()
        try:
            return Marionette(int(port), CEILING) if port else None
        except ConnectionRefusedError:
            return None

    def open(self, address, **window):
        tab = self.marionette.send("WebDriver:NewWindow", **(window or {"type": "tab"}))["handle"]
        self.use(tab)
        self.marionette.send("WebDriver:Navigate", url=address)
        return tab

    def use(self, tab):
        self.marionette.send("WebDriver:SwitchToWindow", handle=tab, focus=True)

    def run(self, tab, script, *values):
        self.use(tab)
        return self.marionette.send(
            "WebDriver:ExecuteScript", script=f"return (async () => {{ {script} }})()",
            args=list(values), sandbox=None)

    def click(self, tab, selector):
        self.use(tab)
        element = self.marionette.send("WebDriver:FindElement", using="css selector", value=selector)
        self.marionette.send("WebDriver:ElementClick", id=next(iter(element.values())))

    def close_tab(self, tab):
        self.use(tab)
        self.use(self.marionette.send("WebDriver:CloseWindow")[0])

    def in_browser(self, script):
        """The result of a script of the browser itself."""
        self.marionette.send("Marionette:SetContext", value="chrome")
        try:
            return self.marionette.send("WebDriver:ExecuteScript", script=script, args=[])
        finally:
            self.marionette.send("Marionette:SetContext", value="content")

    def pid(self):
        return self.program.process.pid

    def kill(self):
        self.program.kill()

    def crash(self, tab):
        self.use(tab)
        os.kill(self.in_browser("return gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.osPid"),
                signal.SIGKILL)

    def disable_extension(self):
        self.in_browser(f"""return (async () => {{
            const {{AddonManager}} = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
            await (await AddonManager.getAddonByID("{FIREFOX_ID}")).disable();
        }})()""")

    def close(self):
        self.program.stop()
