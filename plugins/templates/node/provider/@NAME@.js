#!/usr/bin/env node
"use strict";
/* @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo. */
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const readline = require("node:readline");
const { BrokerError, Failed, Provider, generic, newId } = require("./callbroker.js");

const fifo = path.join(process.env.XDG_RUNTIME_DIR ?? "/tmp", "@NAME@.fifo");
const app = new Provider("@IDENTITY@", "@TITLE@", { handle_types: ["generic"] });
const calls = new Map(); // what the broker has to know of each call that lives

function live(action) {
    if (!calls.has(action.call)) throw new Failed("no_such_call");
    return calls.get(action.call);
}

app.perform("answer", (action) => { // returning means: done
    live(action).state = "active";
});
app.perform("end", (action) => {
    live(action);
    calls.delete(action.call);
});
app.perform("set_muted", (action) => {
    live(action);
});
app.reconcile(() => [...calls.values()]); // asked for in each new session
app.on("dropped", (ids) => ids.forEach((call) => calls.delete(call)));
app.on("provider.reset", () => calls.clear());

async function ring(who) {
    const call = newId(), remote = generic(who);
    calls.set(call, { call, direction: "incoming", state: "ringing", remote, supports_holding: false });
    try {
        await app.request("call.report_incoming", { call, remote, supports_holding: false });
    } catch (error) {
        if (error instanceof BrokerError) calls.delete(call); // it may not ring
    } // else the connection was lost, and the next session is told of it
}

if (!fs.existsSync(fifo)) execFileSync("mkfifo", ["-m", "600", fifo]);
// Without O_NONBLOCK a thread would wait in it, and the program for that thread when it ends.
const bell = new net.Socket({ fd: fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK) });
readline.createInterface({ input: bell }).on("line", (who) => ring(who.slice(0, 60)));
process.on("SIGTERM", () => process.exit(0));
app.on("close", () => process.exit(0)); // the broker said: stop
app.on("lost", () => {}); // it is renewed
app.open({ patient: true }).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
