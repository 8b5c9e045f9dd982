"use strict";
/* The broker itself: the program CALLBROKER, or .build/debug/callbroker of this repository. */
const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const { Client } = require("../callbroker.js");

const PROGRAM = process.env.CALLBROKER
    ?? path.join(__dirname, "..", "..", "..", "..", ".build", "debug", "callbroker");

/** Serves in a folder of its own until it is closed. */
class RealBroker {
    constructor(...more) {
        this.folder = mkdtempSync(path.join(os.tmpdir(), "callbroker-node-"));
        this.path = path.join(this.folder, "broker.sock");
        this.more = more;
    }

    /** With the state that it had before, if there was one. */
    async start() {
        this.process = spawn(PROGRAM, ["serve", "--socket", this.path, "--state-dir",
                                       path.join(this.folder, "state"), ...this.more],
                             { stdio: ["ignore", "ignore", "pipe"] });
        this.exited = new Promise((resolve) => this.process.on("close", resolve));
        const log = readline.createInterface({ input: this.process.stderr });
        await new Promise((resolve, reject) => {
            log.on("line", (line) => line.includes("listening on ") && resolve());
            log.on("close", () => reject(new Error(`${PROGRAM} does not serve`)));
        });
    }

    /** As a crash would. */
    async kill() {
        this.process.kill("SIGKILL");
        await this.exited;
    }

    async close() {
        this.process.kill();
        await this.exited;
        rmSync(this.folder, { recursive: true, force: true });
    }
}

/** The broker's description of its protocol. */
async function discovered() {
    const broker = new RealBroker();
    await broker.start();
    const client = new Client("test", { socket: broker.path });
    await client.open();
    const document = await client.request("rpc.discover");
    await client.close();
    await broker.close();
    return document;
}

module.exports = { PROGRAM, RealBroker, discovered };
