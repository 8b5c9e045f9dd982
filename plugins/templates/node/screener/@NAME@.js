#!/usr/bin/env node
"use strict";
/* @TITLE@: a screener: it blocks callers without a number. */
const { Client } = require("./callbroker.js");

const app = new Client("@NAME@", { identity: "@IDENTITY@", roles: ["screener"] });

app.handle("screener.check", ({ remote }) => { // every call waits for it before it rings
    if (remote === null) return { verdict: "block", explain: "the caller has no number" };
    return { verdict: "continue" }; // or allow, silence, block
});

process.on("SIGTERM", () => process.exit(0));
app.on("close", () => process.exit(0)); // the broker said: stop
app.on("lost", () => {}); // it is renewed
app.open({ patient: true }).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
