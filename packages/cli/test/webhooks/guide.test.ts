import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, systemClock, toNodeListener } from "@fieldmesh/sandbox";
import { sign, signedRequest } from "@fieldmesh/webhook-types";
import { createReceiver, noStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { expect, test, vi } from "vitest";
import { webhookCommands } from "../../src/webhooks/commands.ts";
import { testContext, type TestContext } from "../context.ts";
import { runLine } from "../run-line.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };

const guide = join(import.meta.dirname, "../../../../docs/guides/try-webhooks-locally.md");
// Joins continued lines as a shell does.
const lines = [...readFileSync(guide, "utf8").matchAll(/```sh\n([^]*?)```/g)].flatMap(
  ([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .trim()
      .split("\n"),
);

const SECRET = "whsec_of_the_guide";
const env = { FIELDMESH_WEBHOOK_SECRET: SECRET };
/** The commands that run until Ctrl-C. */
const SERVERS = ["sandbox", "listen", "record"];

function wordsOf(line: string): string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  const own = words.slice(words[0] === "npx" ? 2 : 1);
  return own.map((word) => word.replace(/^'|'$/g, ""));
}

test("the commands of the guide run in order, with a receiver that accepts their deliveries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guide-"));
  // The folder of the file that names the sandbox that was started last.
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  const types: string[] = [];
  const handlers = { "*": ({ type }: { type: string }) => void types.push(type) };
  const receiver = createServer(
    toNodeListener(createReceiver({ secret: SECRET, store: noStore(), handlers })),
  ).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const service = createSandbox({ clock: systemClock });
  await service.webhooks.trigger("subscriber.created");
  const running: { ended: Promise<void>; stop: () => void }[] = [];

  /** Replaces the fixed names of the guide with the paths and addresses of this test. */
  const here = (word: string): string =>
    /^[\w.]*\.(env|ndjson|txt|json)$/.test(word)
      ? join(folder, word)
      : word.replace("127.0.0.1:3000", `127.0.0.1:${port}`).replace(/^40[12]0$/, "0");

  async function runHere(line: string): Promise<TestContext> {
    const ending = new AbortController();
    const context = testContext({ sandbox: service, env, signal: ending.signal });
    const words = wordsOf(line).map(here);
    const ended = runLine(words, { commands: webhookCommands }, context);
    if (SERVERS.some((name) => words.slice(0, 2).includes(name))) {
      running.push({ ended, stop: () => ending.abort() });
      await vi.waitFor(
        () => expect([...context.stdout, ...context.stderr].join()).toContain("Ctrl-C"),
        PATIENCE,
      );
    } else await ended;
    return context;
  }

  const body = JSON.stringify({ ...sampleEvent("plan.created") });
  writeFileSync(join(folder, "body.json"), body);
  const headers = Object.entries(await sign({ secret: SECRET, body }));
  writeFileSync(join(folder, "headers.txt"), headers.map((each) => each.join(": ")).join("\n"));
  try {
    for (const line of lines) {
      const { stderr } = await runHere(line);
      if (!line.includes(" record ")) continue;
      const url = stderr[0]!.replace(/^Recorder +/, "");
      const delivery = await signedRequest(sampleEvent("psim_order.created"), {
        url,
        secret: SECRET,
      });
      expect((await fetch(delivery)).status).toBe(200);
    }
    expect(types).toEqual([
      "sim.activated",
      "plan.created",
      "sim.activated",
      "sim.teleported",
      // The event was recorded and replayed.
      "psim_order.created",
      "psim_order.created",
      // Without a checkpoint, and with a new one.
      "subscriber.created",
      "subscriber.created",
    ]);
    expect(existsSync(join(folder, ".env"))).toBe(true);
  } finally {
    for (const { ended, stop } of running.toReversed()) {
      stop();
      await ended;
    }
    receiver.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
