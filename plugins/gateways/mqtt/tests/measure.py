#!/usr/bin/python3
"""Measures how soon a call rings at an observer after a server has sent a push to an app that does
not run, by both gateways: on the host as it is, and beside a busy process for each processor.

    measure.py [ROUNDS]
"""
import json
import multiprocessing
import os
import statistics
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "unifiedpush", "tests")]

import paho.mqtt.client as paho  # noqa: E402
import test_mqtt_pushes  # noqa: E402
import test_unifiedpush  # noqa: E402
from web_push_server import push  # noqa: E402


def burn():
    while True:
        pass


def rounds(test, send, count):
    """The milliseconds of each push."""
    times = []
    for _ in range(count):
        payload = test.bench.payload()
        began = time.monotonic()
        send(payload)
        test.bench.wait_for_ring(payload)
        times.append((time.monotonic() - began) * 1000)
        test.bench.user.end(payload["call"], wait="completed").result()
        test_mqtt_pushes.wait_until("the app has left", lambda: not test.bench.is_running())
    return times


def report(name, test, send, count):
    for load in (0, os.cpu_count()):
        burning = [multiprocessing.Process(target=burn, daemon=True) for _ in range(load)]
        for each in burning:
            each.start()
        times = rounds(test, send, count)
        for each in burning:
            each.kill()
            each.join()
        print(f"{name}, {'loaded' if load else 'idle'}: median {statistics.median(times):.0f} ms, "
              f"longest {max(times):.0f} ms of {count}", flush=True)


class Measurement(unittest.TestCase):
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10

    def test_mqtt(self):
        test = test_mqtt_pushes.BenchTests("setUp")
        self.addCleanup(test.doCleanups)
        test.setUp()
        test.start_with_app()
        client = paho.Client(protocol=paho.MQTTv5)
        client.connect("127.0.0.1", test.server.port)
        client.loop_start()
        self.addCleanup(client.loop_stop)
        report("mqtt", test, lambda payload: client.publish(
            test.topic, json.dumps(payload), qos=1), self.count)
        client.disconnect()

    def test_unifiedpush(self):
        test = test_unifiedpush.PushTest("setUp")
        self.addCleanup(test.doCleanups)
        test.setUp()
        test.start_with_app()
        report("unifiedpush", test, lambda payload: push(test.address, payload), self.count)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
