#!/usr/bin/env node
"use strict";
/* @TITLE@: a directory: it names callers by a list of numbers. */
const { Client } = require("./callbroker.js");

const app = new Client("@NAME@", { identity: "@IDENTITY@", roles: ["directory"] });

const names = new Map([["+15550123", "Example Ltd"]]);

app.handle("directory.lookup", ({ remote }) => { // a ringing call shows the name
    const name = names.get(remote.value);
    return name ? { display_name: name } : {};
});

process.on("SIGTERM", () => process.exit(0));
app.on("close", () => process.exit(0)); // the broker said: stop
app.on("lost", () => {}); // it is renewed
app.open({ patient: true }).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
