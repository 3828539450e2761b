import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { kindOf } from "@fieldmesh/http/internal";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { services } from "@fieldmesh/sandbox/internal/services";
import { documents } from "../../tools/documents.ts";

test.for(services)(
  "Prism, given only the document of $name, responds to every method of our client",
  async ({ name: service, tables, createClient }) => {
    const baseUrl = await startPrism(service);
    const statuses: number[] = [];
    let call = "";
    let wanted = { status: 0, mediaType: "" };
    const client = createClient({
      baseUrl,
      apiKey: "sk_sandbox_any",
      fetch: async (url, init) => {
        // One path may answer several calls, in JSON or text: Prism is told which example to take.
        init.headers.set("prefer", `code=${wanted.status}, example=${call}`);
        init.headers.set("accept", wanted.mediaType);
        // Prism takes a slash at the end for an empty parameter.
        const response = await fetch(url.replace(/\/$/, ""), init);
        statuses.push(response.status);
        return response;
      },
    }) as Readonly<Record<string, Readonly<Record<string, Method>>>>;

    for (const [resource, table] of Object.entries(tables))
      for (const [name, { sample, status, result, path, query, body }] of Object.entries(table)) {
        call = `${resource}.${name}`;
        const mediaType = typeof sample.output === "string" ? "text/plain" : "application/json";
        wanted = { status, mediaType };
        const input = z.decode(z.looseObject({ ...path, ...query }), sample.input);
        const takesInput = body !== undefined || Object.keys({ ...path, ...query }).length > 0;
        const method = client[resource]?.[name];
        const response = takesInput ? method?.(input) : method?.();
        const output =
          kindOf(result) === "page"
            ? (await (response as Pager).toArray({ limit: 1 }))[0]
            : await response;
        expect({ call, status: statuses.at(-1), isThere: output !== undefined }).toEqual({
          call,
          status,
          isThere: true,
        });
      }
  },
);

test("Prism refuses what the document does not allow", async () => {
  const baseUrl = await startPrism("console");
  const label = "5f2d6f0e-3b7a-4c4a-8d55-0a1b2c3d4e5f";
  const response = await fetch(`${baseUrl}/api/v1/labels/${label}/active`, {
    method: "PUT",
    headers: { key: "any", "content-type": "application/json" },
    body: JSON.stringify({ active: "yes" }),
  });
  expect(response.status).toBe(422);
  const { validation } = (await response.json()) as { validation: unknown[] };
  expect(validation).toMatchObject([{ location: ["body", "active"], code: "type" }]);
});

type Method = (input?: unknown) => unknown;
interface Pager {
  toArray(options: { limit: number }): Promise<unknown[]>;
}

/** Starts the mock server of a document; with --errors it refuses what does not fit instead of answering anyway. */
async function startPrism(id: string): Promise<string> {
  const port = await freePort();
  const program = join(import.meta.dirname, "node_modules/@stoplight/prism-cli/dist/index.js");
  const document = join(documents, "openapi", `${id}.json`);
  const args = [program, "mock", document, "--errors", "-h", "127.0.0.1", "-p", String(port)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill());
  let log = "";
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      if (log.includes("Prism is listening")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => reject(new Error(`Prism ended with ${code}:\n${log}`)));
  });
  return `http://127.0.0.1:${port}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
