"use strict";
/* The state of all calls, complete at any moment; what was missed, and how it is mended. */
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Observer } = require("../callbroker.js");
const { TEST, heard, withPeer } = require("./scripted-broker.js");

const observer = (t, more) => withPeer(t, (options) => new Observer("t", { ...options, ...more }));
const call = (id, rev) => ({ call: id, rev });
const event = (seq, topic, data, more) => ({ method: "event", params: {
    subscription: 1, epoch: "e", seq, prev: seq - 1, at_ms: 1, topic, data, ...more } });

async function topics(client, count) {
    const seen = [];
    while (seen.length < count) seen.push((await client.next()).topic);
    return seen;
}

test("a snapshot, then what happens", TEST, async (t) => {
    const { client, peer } = await observer(t, { topics: ["call.*"], includeEnded: true });
    const changed = heard(client, "call.changed");
    const subscribe = await peer.greetObserver({
        subscription: 1, epoch: "e", seq: 4, snapshot: { calls: [call("a", 1)] } });
    assert.deepEqual(subscribe.params, { topics: ["call.*"], include_ended: true });
    peer.send(event(5, "call.added", call("b", 1)), event(6, "call.changed", call("b", 2)),
              event(7, "call.changed", call("a", 0)), event(8, "call.removed", { call: "a" }),
              event(9, "broker.bookmark", {}), event(10, "x_last", {}));
    assert.deepEqual(await topics(client, 6), ["snapshot", "call.added", "call.changed",
                                               "call.changed", "call.removed", "x_last"]);
    assert.deepEqual([...client.calls.values()], [call("b", 2)]);
    assert.deepEqual(client.cursor, { epoch: "e", seq: 10 });
    assert.deepEqual((await changed).data, call("b", 2));
});

test("events before the reply that names their subscription count", TEST, async (t) => {
    const { client, peer } = await observer(t);
    await peer.greet();
    const subscribe = await peer.read("events.subscribe");
    peer.send(event(3, "call.added", call("old", 1)), event(5, "call.added", call("b", 1)));
    peer.reply(subscribe, { subscription: 1, epoch: "e", seq: 4, snapshot: { calls: [] } });
    assert.deepEqual(await topics(client, 2), ["snapshot", "call.added"]);
    assert.deepEqual([...client.calls.keys()], ["b"]);
});

test("a line of a plugin takes no number, and is told", TEST, async (t) => {
    const { client, peer } = await observer(t);
    await peer.greetObserver({ subscription: 1, epoch: "e", seq: 4, snapshot: { calls: [] } });
    peer.send(event(4, "plugin.log", { number: 1 }, { prev: 4 }));
    assert.deepEqual(await topics(client, 2), ["snapshot", "plugin.log"]);
});

test("what is allowed changes without the call, and takes no number", TEST, async (t) => {
    const { client, peer } = await observer(t);
    const known = { ...call("a", 1), allowed: ["end", "merge"], merge_with: ["b"],
        paused_tones: { digits: "1", until: "user" } };
    await peer.greetObserver({ subscription: 1, epoch: "e", seq: 4, snapshot: { calls: [known] } });
    peer.send(event(4, "call.allowed_changed", { call: "a", allowed: ["end"] }, { prev: 4 }));
    assert.deepEqual(await topics(client, 2), ["snapshot", "call.allowed_changed"]);
    assert.deepEqual([...client.calls.values()], [{ ...call("a", 1), allowed: ["end"] }]);
});

test("the presence of the host takes no number and is told", TEST, async (t) => {
    const { client, peer } = await observer(t);
    await peer.greetObserver({ subscription: 1, epoch: "e", seq: 4, snapshot: { calls: [] } });
    peer.send(event(4, "host.presence", { state: "in_call" }, { prev: 4 }));
    assert.deepEqual(await topics(client, 2), ["snapshot", "host.presence"]);
});

const FEATURES = { call_changes: { version: 1, granted: false } };

/** An observer whose broker sends changes, which has read these calls. */
async function changing(t, calls, more) {
    const { client, peer, broker } = await observer(t, more);
    await peer.greet({ features: FEATURES });
    const subscribe = await peer.read("events.subscribe");
    peer.reply(subscribe, { subscription: 1, epoch: "e", seq: 4, snapshot: { calls } });
    assert.equal((await client.next()).topic, "snapshot");
    return { client, peer, broker, subscribe };
}

test("changes are told as whole calls", TEST, async (t) => {
    const known = { ...call("a", 1), display_name: "Ada", pending_action: "answering" };
    const { client, peer, subscribe } = await changing(t, [known]);
    assert.deepEqual(subscribe.params, { topics: ["*"], detail: "changes" });
    const told = heard(client, "call.changed");
    peer.send(event(5, "call.changed", { set: { state: "active", rev: 2 },
        removed: ["pending_action"], changed: ["state", "pending_action"],
        cause: { origin: "user" } }, { call: "a" }));
    const whole = { ...call("a", 2), display_name: "Ada", state: "active",
        changed: ["state", "pending_action"], cause: { origin: "user" } };
    assert.deepEqual((await client.next()).data, whole);
    assert.deepEqual([...client.calls.values()], [whole]);
    assert.deepEqual((await told).data, whole);
});

test("changes of an unknown call are repaired by a snapshot", TEST, async (t) => {
    const { client, peer } = await changing(t, []);
    peer.send(event(5, "call.changed", { set: { rev: 2 } }, { call: "a" }));
    peer.reply(await peer.read("events.unsubscribe"));
    const subscribe = await peer.read("events.subscribe");
    assert.deepEqual(subscribe.params, { topics: ["*"], detail: "changes" });
    peer.reply(subscribe, { subscription: 2, epoch: "e", seq: 6, snapshot: { calls: [call("a", 2)] } });
    assert.equal((await client.next()).seq, 6);
    assert.deepEqual([...client.calls.keys()], ["a"]);
});

test("whole calls are asked for without the calls that change", TEST, async (t) => {
    for (const more of [{ topics: ["call.changed"] }, { cursor: { epoch: "e", seq: 4 } }]) {
        const { peer } = await observer(t, more);
        await peer.greet({ features: FEATURES });
        assert.equal((await peer.read("events.subscribe")).params.detail, undefined);
    }
});

test("a snapshot goes on with pages", TEST, async (t) => {
    const { client, peer } = await observer(t);
    await peer.greetObserver({ subscription: 1, epoch: "e", seq: 1,
                               snapshot: { calls: [call("a", 1)], next: "n" } });
    const list = await peer.read("call.list");
    assert.deepEqual(list.params, { after: "n" });
    peer.reply(list, { calls: [call("b", 1)] });
    assert.deepEqual(await topics(client, 1), ["snapshot"]);
    assert.deepEqual([...client.calls.keys()], ["a", "b"]);
});

test("after a lost connection it goes on where it was", TEST, async (t) => {
    const { broker, client, peer } = await observer(t);
    await peer.greetObserver();
    peer.send(event(1, "call.added", call("a", 1)));
    assert.deepEqual(await topics(client, 2), ["snapshot", "call.added"]);
    peer.close();
    const again = await broker.accept();
    const subscribe = await again.greetObserver({ subscription: 1, epoch: "e", seq: 2 });
    assert.deepEqual(subscribe.params.cursor, { epoch: "e", seq: 1 });
    again.send(event(2, "call.removed", { call: "a" }));
    assert.deepEqual(await topics(client, 1), ["call.removed"]);
    assert.equal(client.calls.size, 0);
});

test("what was missed is mended by a new snapshot", TEST, async (t) => {
    const mishaps = [{ method: "events.gap", params: { subscription: 1 } },
                     event(9, "call.added", call("x", 1)),
                     event(1, "call.added", call("x", 1), { epoch: "other" })];
    for (const mishap of mishaps) {
        const { client, peer } = await observer(t);
        await peer.greetObserver();
        peer.send(mishap);
        peer.reply(await peer.read("events.unsubscribe"));
        const subscribe = await peer.read("events.subscribe");
        assert.equal("cursor" in subscribe.params, false);
        peer.reply(subscribe, { subscription: 2, epoch: "e", seq: 9,
                                snapshot: { calls: [call("y", 1)] } });
        assert.deepEqual(await topics(client, 2), ["snapshot", "snapshot"]);
        assert.deepEqual([...client.calls.keys()], ["y"]);
    }
});

test("a snapshot that is refused is asked for in a new session", TEST, async (t) => {
    const { broker, client, peer } = await observer(t);
    await peer.greetObserver();
    peer.send({ method: "events.gap", params: { subscription: 1 } });
    await peer.read("events.unsubscribe");
    peer.refuse(await peer.read("events.subscribe"), -32007);
    await (await broker.accept()).greetObserver();
    assert.deepEqual(await topics(client, 2), ["snapshot", "snapshot"]);
});

test("whoever does not look sees all anew later", TEST, async (t) => {
    const { client, peer } = await observer(t);
    const last = heard(client, "x_last");
    await peer.greetObserver();
    for (let seq = 1; seq <= 10_000; seq++) peer.send(event(seq, "call.changed", call("a", seq)));
    peer.send(event(10_001, "x_last", {}));
    await last;
    assert.deepEqual(await topics(client, 2), ["snapshot", "x_last"]);
    assert.deepEqual(client.calls.get("a"), call("a", 10_000));
});

test("iterating ends with the client", TEST, async (t) => {
    const { client, peer } = await observer(t);
    await peer.greetObserver();
    const seen = [];
    for await (const { topic } of client) {
        seen.push(topic);
        setImmediate(() => client.close());
    }
    assert.deepEqual(seen, ["snapshot"]);
    assert.equal(await client.next(), undefined);
});
