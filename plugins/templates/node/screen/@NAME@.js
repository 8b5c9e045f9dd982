#!/usr/bin/env node
"use strict";
/* @TITLE@: a screen: it shows incoming calls as lines of its log. */
const { Client } = require("./callbroker.js");

const app = new Client("@NAME@", { identity: "@IDENTITY@", roles: ["ui", "controller", "observer"] });

// Its manifest claims the screen. Buttons request call.answer, call.end, ...
app.handle("ui.present", ({ call, actions }) => {
    console.error(`${call.slice(0, 8)} rings; possible: ${actions.join(", ")}`);
    return { presented: true }; // false: another screen may show it
});
app.on("ui.dismiss", ({ call, reason }) => console.error(`${call.slice(0, 8)} is gone: ${reason}`));

process.on("SIGTERM", () => process.exit(0));
app.on("close", () => process.exit(0)); // the broker said: stop
app.on("lost", () => {}); // it is renewed
app.open({ patient: true }).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
