"""A page in a real browser: the screen's server, the broker, apps that have calls, and a Chromium.
Everything is waited for, with a ceiling."""
import contextlib
import http.client
import os
import shutil
import sys
import tempfile
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)
from selenium.webdriver.common.by import By

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from callbroker import Admin, Controller, Failed, Provider, Screen, generic, new_id, phone  # noqa: E402,F401
from chromium_driver import quit_driver, start_driver  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

SCREEN = os.path.abspath(os.environ.get("CALLBROKER_SCREEN") or os.path.join(
    PLUGIN, ".build", "debug", "callbroker-screen"))
DESKTOP, PHONE, WIDE = (1280, 860), (390, 844), (1920, 1080)
# Notes whether the next click reaches what a selector means: the page may move it, or make it anew, just then.
# A list of options and what is chosen there need not have a click.
EXPECT = """window.wasReached = arguments[0].matches("select, option");
addEventListener("click", event => { window.wasReached ||= event.target.closest(arguments[1]) !== null; },
    {capture: true, once: true});"""


class World:
    """A broker, the screen's server, and apps; each ends with the test."""

    def __init__(self, test, *arguments):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker(*arguments)
        test.addCleanup(self.close_broker)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path}
        self.performed = []
        self.start_server()

    def close_broker(self):
        if self.broker.process.stdout.closed:       # it was killed, and not started again
            self.broker.start()
        self.broker.close()

    def start_server(self, *arguments, name="screen"):
        self.server = Program(self.test, self.folder, name, [SCREEN, *arguments], self.environment)
        self.server.wait_for("/?token=")
        self.address = self.server.said().strip()
        self.host = urlsplit(self.address).netloc

    def fresh_address(self):
        """An address of the server that runs, as `callbroker screen` prints it."""
        again = Program(self.test, self.folder, "again", [SCREEN], self.environment)
        self.test.assertEqual(again.wait(), 0, again.said())
        return again.said().strip()

    def get(self, path, headers=None, method="GET"):
        """The answer to a request as it is, without a browser."""
        connection = http.client.HTTPConnection(self.host, timeout=CEILING)
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def app(self, identity="org.example.phone", name="Desk phone", **members):
        """An app that does what it is asked to do."""
        provider = Provider(identity, name, handle_types=["phone", "generic"],
                            socket=self.broker.path, **members)
        for kind in ("start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf",
                     "set_endpoint", "set_video", "set_text", "transfer", "attended_transfer",
                     "deflect"):
            provider.on_action(kind)(
                lambda action: self.performed.append((action.kind, action.call, action.arguments)))
        for kind in ("send_text", "change_participant", "change_setting"):
            getattr(provider, "on_" + kind)(
                lambda *arguments, kind=kind: self.performed.append((kind, arguments[0], list(arguments[1:]))))
        return self.entered(provider)

    def rings(self, app, number="+15550100", **update):
        call = new_id()
        app.report_incoming(call, phone(number), **update).result(CEILING)
        return call

    def user(self):
        return self.entered(Controller("user", socket=self.broker.path))

    def wait_for_action(self, kind, call=None, **arguments):
        """Waits until the app was asked to do something; returns its arguments."""
        def asked():
            return next((each for each in self.performed if each[0] == kind
                         and call in (None, each[1])
                         and arguments.items() <= each[2].items()), None)
        return wait_until(lambda: f"{kind} among {self.performed}", asked)[2]

    def wait_for_action_of_line(self, setting):
        """Waits until the app was asked to change a setting of a line."""
        wait_until(lambda: f"{setting} among {self.performed}", lambda: any(
            each[0] == "change_setting" and each[2][0]["setting"] == setting for each in self.performed))

    def wait_until_done(self, call):
        """Waits until nothing is being done to a call: a request of the other side that its app reported before
        would be over with that."""
        user = self.user()
        wait_until(lambda: f"{user.get_call(call=call).result(CEILING)}",
                   lambda: "pending_action" not in user.get_call(call=call).result(CEILING))

    def typed(self, call):
        """What the user has typed on a call, as its app was to send it."""
        return "".join(each[2][0] for each in self.performed if each[:2] == ("send_text", call))


class Page:
    """The screen in a Chromium."""

    def __init__(self, world, size=DESKTOP, language="en", scheme="light", environment=None, prepare=None):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--force-prefers-reduced-motion", f"--lang={language}",
                         f"--window-size={size[0]},{size[1]}"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = start_driver(options, env={**os.environ, **(environment or {})})
        self.driver.set_script_timeout(CEILING)
        world.test.addCleanup(self.quit)
        self.world = world
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 600})
        if prepare:
            prepare(self)
        self.open(world.address)

    def quit(self):
        quit_driver(self.driver)

    def open(self, address):
        self.driver.get(address)
        self.wait_until_ready()

    def wait_until_ready(self):
        self.wait("the page is connected", "return document.body.dataset.state === 'ready'")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, what, script, *arguments):
        return wait_until(lambda: f"{what}: {self.text()[:600]}", self.run, script, *arguments)

    def text(self, selector="body"):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def wait_to_see(self, *words, within="body"):
        wait_until(lambda: f"{words} in {self.text(within)!r}",
                   lambda: all(word in self.text(within) for word in words))

    def wait_to_lose(self, selector):
        wait_until(f"{selector} is gone", lambda: not self.shown(selector))

    def shown(self, selector):
        """Whether there is such an element, and it is seen."""
        try:
            return any(each.is_displayed()
                       for each in self.driver.find_elements(By.CSS_SELECTOR, selector))
        except StaleElementReferenceException:
            return False

    def element(self, selector):
        """The first that is seen; it is waited for."""
        def found():
            try:
                return next((each for each in self.driver.find_elements(By.CSS_SELECTOR, selector)
                             if each.is_displayed()), None)
            except StaleElementReferenceException:
                return None
        return wait_until(lambda: f"{selector} in {self.text()[:600]}", found)

    def press(self, selector):
        """Clicks as a mouse would: what lies above it is in the way, until it is scrolled away from it. A click
        that went beside it is made again."""
        def clicked():
            element = self.element(selector)
            try:
                self.run(EXPECT, element, selector)
                element.click()
                return self.run("return window.wasReached !== false")
            except ElementClickInterceptedException:
                with contextlib.suppress(StaleElementReferenceException):
                    self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
                return False
            except (ElementNotInteractableException, StaleElementReferenceException):
                return False
        wait_until(f"{selector} is pressed", clicked)

    def press_verb(self, verb, within=".panel"):
        self.press(f"{within} [data-verb='{verb}']")

    def type(self, selector, words):
        field = self.element(selector)
        field.clear()
        field.send_keys(words)

    def go(self, view):
        self.run("location.hash = arguments[0]", view)
        self.wait(f"the view {view}", "return document.querySelector('[aria-current]')?.hash === '#' + arguments[0]"
                  " && document.querySelector('#main > *') !== null", view)

    def wait_for_policy(self, policy):
        """Waits until the page has drawn its switches from the policy of the broker."""
        wait_until("the page has the policy", lambda: self.run(
            "return import('/store.js').then(({store}) => new Promise(done => "
            "requestAnimationFrame(() => done(store.policy))))") == policy())

    def complaints(self):
        """What the browser's console has that should not be there."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")
                and "/broker' failed" not in entry["message"] and "status of 401" not in entry["message"]]

    def picture(self, path):
        self.driver.save_screenshot(path)
