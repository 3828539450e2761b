import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

const next = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", "0"]);
let printed = "";
const url = await new Promise((resolve, reject) => {
  next.on("exit", () => reject(new Error(printed)));
  for (const stream of [next.stdout, next.stderr])
    stream.on("data", (chunk) => {
      printed += chunk;
      const port = /localhost:(\d+)/.exec(printed)?.[1];
      if (port !== undefined && printed.includes("Ready"))
        resolve(`http://127.0.0.1:${port}/hooks`);
    });
});
const body = JSON.stringify(sampleEvent("sim.activated"));
const headers = await sign({ secret: "whsec_of_a_consumer", body });
assert.equal((await fetch(url, { method: "POST", body, headers })).status, 200);
assert.equal((await fetch(url, { method: "POST", body: `${body} `, headers })).status, 401);
next.removeAllListeners("exit");
next.kill();
console.log("ok");
