"use strict";
/* The broker's own description: every example is written and read as it stands, and the types are
 * made from it as it is now. */
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { readFileSync, readdirSync } = require("node:fs");
const path = require("node:path");
const { before, test } = require("node:test");
const { Client, ERROR_NAMES, Observer, Provider } = require("../callbroker.js");
const { TYPES, types } = require("../make-types.js");
const { discovered } = require("./real-broker.js");
const { TEST, heard, withPeer } = require("./scripted-broker.js");

let openrpc;
before(async () => (openrpc = await discovered()));

const fromList = (list) => Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** A client that is ready, one of each kind for all examples. */
async function ready(t, made, Kind) {
    if (made.has(Kind)) return made.get(Kind);
    const one = await withPeer(t, (options) => Kind === Provider
        ? new Provider("org.example.a", "A", {}, options) : new Kind("test", options));
    await (Kind === Provider ? one.peer.greetProvider() : one.peer.greet());
    await one.opened;
    made.set(Kind, one);
    return one;
}

async function said({ client, peer }, name, params, result) {
    const reply = result ? client.request(name, params) : client.notify(name, params);
    const frame = await peer.read(name);
    assert.deepEqual(frame.params, params);
    if (!result) return;
    peer.reply(frame, result);
    assert.deepEqual(await reply, result);
}

async function hello(t, params) {
    const { roles, identity, credential, client: { name, version, url } } = params;
    const { broker, peer } = await withPeer(t, (options) =>
        new Client(name, { ...options, roles, identity, credential, version, url }));
    if (!params.resume) return assert.deepEqual((await peer.greet()).params, params);
    await peer.greet({ session: params.resume });
    peer.close();
    assert.deepEqual((await (await broker.accept()).greet()).params, params);
}

async function told({ client, peer }, name, params) {
    const seen = heard(client, name);
    peer.send({ method: name, params });
    assert.deepEqual(await seen, params);
}

async function asked({ client, peer }, name, params, result) {
    let seen;
    client.handle(name, (given) => ((seen = given), result));
    peer.send({ id: 7, method: name, params });
    assert.deepEqual((await peer.read()).result, result);
    if (name !== "broker.ping") assert.deepEqual(seen, params);
}

async function performed({ client, peer }, params, result) {
    let action;
    client.perform(params.kind, (given) => ((action = given), result.at_ms));
    peer.send({ id: 7, method: "provider.perform", params });
    assert.deepEqual((await peer.read()).result, result);
    const given = Object.fromEntries(Object.keys(params).map((key) => [key, action[key]]));
    assert.deepEqual({ ...given, action: action.id }, params);
}

async function happened(t, params) {
    const { client, peer } = await withPeer(t, (options) => new Observer("test", options));
    const seen = heard(client, params.topic);
    await peer.greetObserver({ subscription: params.subscription, epoch: params.epoch,
                               seq: params.prev, snapshot: { calls: [] } });
    peer.send({ method: "event", params });
    if (params.topic !== "broker.bookmark") return assert.deepEqual(await seen, params);
    peer.send({ method: "x_last" });
    await heard(client, "x_last");
    assert.deepEqual(client.cursor, { epoch: params.epoch, seq: params.seq });
}

async function read(t, made, name, params, result) {
    if (params.topic) return happened(t, params);
    if (name === "broker.cancel") return; // the client's own business
    const one = await ready(t, made, Provider);
    if (name === "provider.perform") return performed(one, params, result);
    return result ? asked(one, name, params, result) : told(one, name, params);
}

test("every example", TEST, async (t) => {
    const made = new Map();
    let count = 0;
    for (const { name, examples, "x-direction": direction } of openrpc.methods) {
        for (const example of examples) {
            const params = fromList(example.params), result = example.result?.value;
            if (direction !== "to_client") {
                if (name === "broker.hello") await hello(t, params);
                else await said(await ready(t, made, Client), name, params, result);
            }
            if (direction !== "to_broker") await read(t, made, name, params, result);
            count++;
        }
    }
    assert.ok(count > 50);
});

test("every error has a name", () => {
    const found = openrpc.methods.flatMap(({ errors = [] }) => errors);
    assert.ok(found.length > 0);
    for (const { code, message } of found) assert.equal(ERROR_NAMES[code], message);
});

test("the types are those of the protocol as it is now", () => {
    assert.equal(readFileSync(TYPES, "utf8"), types(openrpc), "make-types.js writes them anew");
});

test("the types fit what programs write", () => {
    const folder = path.join(__dirname, "types");
    const files = readdirSync(folder).map((name) => path.join(folder, name));
    const options = "--noEmit --strict --target es2020 --lib es2020 --module commonjs".split(" ");
    execFileSync("tsc", [...options, ...files], { stdio: "pipe", encoding: "utf8" });
});
