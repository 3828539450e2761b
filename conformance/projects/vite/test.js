import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

const name = readdirSync("dist/assets").find((file) => file.endsWith(".js"));
const code = readFileSync(`dist/assets/${name}`, "utf8");
// A page has no modules of Node.
assert.doesNotMatch(code, /["']node:/);
// Vite adds a loader that needs a document.
globalThis.document ??= { createElement: () => ({ relList: { supports: () => true } }) };
await import(`./dist/assets/${name}`);
assert.equal(globalThis.titleOf(sampleEvent("sim.activated")), "sim.activated");
console.log("ok");
