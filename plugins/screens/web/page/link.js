// A session at the broker: JSON-RPC 2.0 over the WebSocket of the server that serves this page.

const PROTOCOL = { min: 1, max: 1 };
const CLIENT = { name: "callbroker-screen", version: "0.1.0" };
/** The name of this screen at the broker, the same for each page. */
export const IDENTITY = "org.callbroker.screen";
const PAUSES_MS = [100, 250, 500, 1000, 2000];

/** An error that the broker replied. */
export class BrokerError extends Error {
    constructor(error) {
        super(error.message);
        this.code = error.code;
        this.data = error.data ?? {};
    }
}

/** The request has no answer, because the broker has gone. */
export class Gone extends Error {}

/** Keeps a session, and opens a new one when it is lost. */
export class Link {
    /**
     * @param {string[]} roles requested of the broker
     * @param {object} hooks `opened(hello)`, `event(event)`, `told(method, params)`,
     *     `asked(method, params)`, and `state(word)`: connecting, ready, gone, refused or stopped
     */
    constructor(roles, hooks) {
        this.roles = roles;
        this.hooks = hooks;
        this.pending = new Map();
        this.nextId = 1;
        this.tries = 0;
    }

    /** Connects now, and again whenever the connection is lost. */
    open() {
        clearTimeout(this.timer);
        this.socket = new WebSocket(`ws://${location.host}/broker`);
        this.socket.onopen = () => this.greet();
        this.socket.onmessage = message => this.received(message.data);
        this.socket.onclose = () => this.lost();
    }

    /** Tries at once, where a try would only come later. */
    hurry() {
        if (this.socket.readyState === WebSocket.CLOSED) this.open();
    }

    /** Sends a request. Rejects with BrokerError or Gone. */
    request(method, params = {}) {
        return new Promise((resolve, reject) => {
            if (this.socket.readyState !== WebSocket.OPEN) return reject(new Gone());
            const id = this.nextId++;
            this.pending.set(id, { resolve, reject });
            this.send({ id, method, params });
        });
    }

    send(members) {
        this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...members }));
    }

    async greet() {
        try {
            const hello = await this.request("broker.hello", {
                protocol: PROTOCOL, client: CLIENT, roles: this.roles, identity: IDENTITY,
                features: ["alerting", "ask", "audio_endpoints", "external_calls", "line_settings",
                    "participant_changes", "text", "video_request"],
            });
            this.tries = 0;
            await this.hooks.opened(hello);
            this.hooks.state("ready");
        } catch (error) {
            if (!(error instanceof Gone)) this.socket.close();
        }
    }

    /** One message has one or more frames, a line each. */
    received(text) {
        for (const line of text.split("\n")) {
            if (line === "") continue;
            const frame = JSON.parse(line);
            if (frame.method === undefined) this.answered(frame);
            else if (frame.id === undefined) this.told(frame);
            else this.asked(frame);
        }
    }

    answered(frame) {
        const waiting = this.pending.get(frame.id);
        this.pending.delete(frame.id);
        if (waiting === undefined) return;
        if (frame.error) waiting.reject(new BrokerError(frame.error));
        else waiting.resolve(frame.result);
    }

    told(frame) {
        if (frame.method === "event") this.hooks.event(frame.params);
        else this.hooks.told?.(frame.method, frame.params);
    }

    async asked(frame) {
        if (frame.method === "broker.ping") return this.send({ id: frame.id, result: frame.params });
        const result = await this.hooks.asked?.(frame.method, frame.params);
        if (this.socket.readyState !== WebSocket.OPEN) return;
        if (result) this.send({ id: frame.id, result });
        else this.send({ id: frame.id, error: { code: -32601, message: "not known here" } });
    }

    async lost() {
        for (const { reject } of this.pending.values()) reject(new Gone());
        this.pending.clear();
        this.hooks.state(await this.whatIsWrong());
        const pause = PAUSES_MS[Math.min(this.tries++, PAUSES_MS.length - 1)];
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.open(), pause);
    }

    /** The server does not answer, or does not know this browser any more; else the broker is gone. */
    async whatIsWrong() {
        try {
            const reply = await fetch("/", { method: "HEAD", cache: "no-store" });
            return reply.status === 401 ? "refused" : "gone";
        } catch {
            return "stopped";
        }
    }
}
