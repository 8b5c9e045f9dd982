#!/usr/bin/env node
"use strict";
/* make-types.js [OPENRPC.json]: writes callbroker.d.ts from the broker's own description, which is
 * the file or what `callbroker request rpc.discover --json` says. */
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const TYPES = path.join(__dirname, "callbroker.d.ts");

/** Shapes with a name of their own: where they are found in the description. */
const NAMED = [
    ["Handle", (find) => find("call.get").result.properties.remote],
    ["Cause", (find) => find("provider.perform").params.cause],
    ["EndDetail", (find) => find("call.report_ended").params.end_detail],
    ["LineSetting", (find) => find("provider.register").params.lines.items.properties.settings.items],
    ["Line", (find) => find("provider.register").params.lines.items],
    ["Endpoint", (find) => find("call.list").result.properties.calls.items.properties.endpoints.items],
    ["Deadlines", (find) => find("provider.register").params.action_deadlines],
    ["Limits", (find) => find("provider.register").result.properties.limits],
    ["PlannedAction", (find) => find("call.answer").result.properties.actions.items],
    ["Transaction", (find) => find("call.answer").result],
    ["Options", (find) => without(find("call.end").params, "call")],
    ["Update", (find) => without(find("call.report_update").params, "call", "remote")],
    ["EventHead", (find) => without(find("call.added").params, "topic", "data")],
    ["LiveCall", (find) => find("provider.register").params.calls.items],
    ["Call", (find) => find("call.list").result.properties.calls.items],
    ["RegisteredProvider", (find) => find("provider.list").result.properties.providers.items],
    ["Policy", (find) => find("policy.get").result.properties?.policy ?? find("policy.get").result],
];

// ---- Schemas

/** Writes a schema as a type. A type that has a name is written by it, and one that has all the
 * members of such a type by the name and what it has besides. */
class Writer {
    constructor() {
        this.names = new Map(); // text to name
        this.bases = []; // [name, members]
    }

    name(name, schema) {
        const text = this.text(schema);
        this.names.set(text, name);
        if (schema.properties) this.bases.push([name, this.lines(schema)]);
        return `export type ${name} = ${text};\n`;
    }

    type(schema) {
        const text = this.text(schema);
        return this.names.get(text) ?? text;
    }

    text(schema) {
        if (schema.oneOf) return schema.oneOf.map((one) => this.type(one)).join(" | ");
        const words = (schema.enum ?? []).map((word) => JSON.stringify(word));
        if (words.length > 0) return words.join(" | ");
        if (schema["x-open-enum"]) {
            return [...schema.examples.map((word) => JSON.stringify(word)), "Other"].join(" | ");
        }
        return this.plain(schema);
    }

    plain(schema) {
        switch (schema.type) {
        case "string": return "string";
        case "integer": return "number";
        case "boolean": return "boolean";
        case "null": return "null";
        case "array": return `Array<${schema.items ? this.type(schema.items) : "unknown"}>`;
        case "object": return this.object(schema);
        default: return "unknown";
        }
    }

    object(schema) {
        const { properties, additionalProperties } = schema;
        if (properties) return this.members(this.lines(schema));
        const value = isSchema(additionalProperties) ? this.type(additionalProperties) : "unknown";
        return `Record<string, ${value}>`;
    }

    lines({ properties, required = [] }) {
        return Object.entries(properties).map(([name, schema]) => {
            const told = schema.description ? `/** ${schema.description} */\n` : "";
            return `${told}${name}${required.includes(name) ? "" : "?"}: ${this.type(schema)};`;
        });
    }

    members(lines) {
        for (const [name, members] of this.bases) {
            if (!members.every((line) => lines.includes(line))) continue;
            const rest = lines.filter((line) => !members.includes(line));
            return rest.length > 0 ? `${name} & ${this.members(rest)}` : name;
        }
        return lines.length > 0 ? `{\n${indented(lines.join("\n"))}\n}` : "{}";
    }
}

const isSchema = (value) => typeof value === "object" && value !== null;
const indented = (text) => text.replace(/^/gm, "    ");

// ---- The description

function paramsSchema(method) {
    const properties = {};
    for (const { name, summary, schema } of method.params) {
        properties[name] = { ...schema, description: summary };
    }
    return { type: "object", properties,
             required: method.params.filter((p) => p.required).map((p) => p.name) };
}

function finder(document) {
    return (name) => {
        const method = document.methods.find((each) => each.name === name);
        return { params: paramsSchema(method).properties, result: method.result?.schema };
    };
}

/** The optional members that are left, and the required ones of an event. */
function without(params, ...names) {
    const left = Object.entries(params).filter(([name]) => !names.includes(name));
    return { type: "object", properties: Object.fromEntries(left),
             required: ["epoch", "seq", "at_ms"] };
}

function interfaceOf(name, summary, methods, member) {
    const members = methods.map((method) =>
        `/** ${method.summary}. */\n${JSON.stringify(method.name)}: ${member(method)};`);
    return `/** ${summary} */\nexport interface ${name} {\n${indented(members.join("\n"))}\n}\n`;
}

function named(writer, document) {
    return NAMED.map(([name, where]) => writer.name(name, where(finder(document)))).join("\n");
}

/** The kinds of actions. Each needs its `Arguments` in classes.d.ts.in, or nothing compiles. */
function kinds(document) {
    const { examples } = finder(document)("provider.perform").params.kind;
    const words = examples.map((word) => JSON.stringify(word));
    return `export type Kind =\n${indented(words.join(" |\n"))};\n`;
}

function types(document) {
    const writer = new Writer();
    const shapes = named(writer, document);
    const params = (method) => writer.type(paramsSchema(method));
    // An observer delivers whole calls, whatever the broker has sent of them.
    const whole = (method) => {
        const { properties: { data, ...others }, required } = paramsSchema(method);
        return writer.type({ type: "object", required,
                             properties: { ...others, data: { ...data, ...data.oneOf?.[0],
                                                              oneOf: undefined } } });
    };
    const both = (method) => {
        const result = writer.type(method.result.schema);
        return `{\n${indented(`params: ${params(method)};\nresult: ${result};`)}\n}`;
    };
    const to = (end) => (method) => [end, "both"].includes(method["x-direction"]);
    const events = document.methods.filter((method) => method["x-topic"]);
    const others = document.methods.filter((method) => !method["x-topic"]);
    const requests = others.filter((method) => method.result);
    const notifications = others.filter((method) => !method.result);
    return [
        HEAD, shapes,
        interfaceOf("Requests", "What a client asks for.", requests.filter(to("to_broker")), both),
        interfaceOf("Handled", "What the broker asks for.", requests.filter(to("to_client")), both),
        interfaceOf("Notifications", "What a client tells.", notifications.filter(to("to_broker")),
                    params),
        interfaceOf("Told", "What the broker tells.", notifications.filter(to("to_client")),
                    params),
        interfaceOf("Events", "What an observer is told, by topic.", events, whole),
        kinds(document), CLASSES,
    ].join("\n");
}

// ---- What is written by hand

const HEAD = `// Made by make-types.js from the broker's description of its protocol.
import { EventEmitter } from "node:events";
import { Socket } from "node:net";

/** A word that a newer broker may say: treat it as "other". */
export type Other = string & {};
`;

const CLASSES = readFileSync(path.join(__dirname, "classes.d.ts.in"), "utf8");

function discovered() {
    const program = process.env.CALLBROKER ?? "callbroker";
    return execFileSync(program, ["request", "rpc.discover", "--json"], { maxBuffer: 2 ** 24 });
}

if (require.main === module) {
    const document = process.argv[2] ? readFileSync(process.argv[2]) : discovered();
    writeFileSync(TYPES, types(JSON.parse(document)));
}

module.exports = { TYPES, types };
