"use strict";
/* A broker that does what the test says, on a real Unix socket. It waits for frames,
 * not for time. */
const assert = require("node:assert/strict");
const { mkdtempSync, rmSync } = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");

const CALL = "11111111-1111-4111-8111-111111111111";
const ACTION = "33333333-3333-4333-8333-333333333333";
const SESSION = { session: "1b4e28ba-2fa1-4d2b-883f-0016d3cca427", secret: "s3cret" };
const TEST = { timeout: 1000 * Math.max(30, Number(process.env.CEILING ?? 0)) };

/** What arrives is waited for, in order; undefined is the end. */
class Arrivals {
    constructor() {
        this.arrived = [];
        this.waiting = [];
    }

    push(thing) {
        if (this.waiting.length > 0) this.waiting.shift()(thing);
        else this.arrived.push(thing);
    }

    next() {
        if (this.arrived.length > 0) return Promise.resolve(this.arrived.shift());
        return new Promise((resolve) => this.waiting.push(resolve));
    }
}

/** The broker's end of one connection. */
class Peer {
    constructor(socket) {
        this.socket = socket;
        this.lines = new Arrivals();
        let rest = "";
        socket.setEncoding("utf8");
        socket.on("data", (text) => {
            const lines = (rest + text).split("\n");
            rest = lines.pop();
            lines.forEach((line) => this.lines.push(line));
        });
        socket.on("error", () => {});
        socket.on("close", () => this.lines.push(undefined));
    }

    /** The next frame; with a method, that it is one of this method. */
    async read(method) {
        const line = await this.lines.next();
        assert.notEqual(line, undefined, "the client has closed");
        const frame = JSON.parse(line);
        if (method !== undefined) assert.equal(frame.method, method);
        return frame;
    }

    raw(bytes) {
        this.socket.write(bytes);
    }

    /** All in one write. */
    send(...frames) {
        this.raw(frames.map(encoded).join(""));
    }

    reply({ id }, result = {}) {
        this.send({ id, result });
    }

    refuse({ id }, code, data = {}) {
        this.send({ id, error: { code, message: "no", data } });
    }

    /** Opens the session. */
    async greet(result = {}) {
        const hello = await this.read("broker.hello");
        this.reply(hello, { protocol: 1, session: { ...SESSION, resumed: false, grace_ms: 0 },
                            granted_roles: hello.params.roles, denied_roles: [],
                            limits: { frame_bytes: 65536 }, epoch: "e", seq: 0, ...result });
        return hello;
    }

    /** Opens the session and takes the registration. */
    async greetProvider() {
        await this.greet();
        const register = await this.read("provider.register");
        this.reply(register, { provider: "org.example.a", calls: [], dropped: [] });
        return register;
    }

    /** Opens the session of an observer. */
    async greetObserver(result = { subscription: 1, epoch: "e", seq: 0, snapshot: { calls: [] } }) {
        await this.greet();
        const subscribe = await this.read("events.subscribe");
        this.reply(subscribe, result);
        return subscribe;
    }

    perform(id, { kind = "answer", action = ACTION, attempt = 1, ...rest } = {}) {
        this.send({ id, method: "provider.perform", params: {
            action, kind, call: CALL, arguments: {}, transaction: "t", cause: { origin: "user" },
            deadline_ms: 5000, attempt, ...rest } });
    }

    close() {
        this.socket.destroy();
    }
}

/** Listens in a folder of its own. */
class ScriptedBroker {
    constructor() {
        this.folder = mkdtempSync(path.join(os.tmpdir(), "callbroker-node-"));
        this.path = path.join(this.folder, "broker.sock");
        this.connections = new Arrivals();
        this.sockets = new Set();
        this.server = net.createServer((socket) => {
            this.sockets.add(socket);
            this.connections.push(new Peer(socket));
        });
    }

    listen() {
        return new Promise((resolve) => this.server.listen(this.path, resolve));
    }

    accept() {
        return this.connections.next();
    }

    async close() {
        const closed = new Promise((resolve) => this.server.close(resolve));
        this.sockets.forEach((socket) => socket.destroy());
        await closed;
        rmSync(this.folder, { recursive: true, force: true });
    }
}

const encoded = (frame) => JSON.stringify({ jsonrpc: "2.0", ...frame }) + "\n";

/** A broker, a client that connects to it, and the broker's end of the connection. `make` gets the
 * options for the client. */
async function withPeer(test, make) {
    const broker = new ScriptedBroker();
    await broker.listen();
    const client = make({ socket: broker.path, backoffMs: [0, 0] });
    const opened = client.open({ patient: true });
    opened.catch(() => {});
    test.after(async () => {
        await client.close();
        await broker.close();
    });
    return { broker, client, opened, peer: await broker.accept() };
}

/** The next time that the client emits this. */
const heard = (client, name) => new Promise((resolve) => client.once(name, resolve));

module.exports = { ACTION, CALL, Peer, SESSION, ScriptedBroker, TEST, encoded, heard, withPeer };
