import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startChirpStack } from "./chirpstack-server.ts";
import { folder } from "./fleet-context.ts";
import { hasKey } from "./kills.ts";
import { APPLICATION, device, leavingFleet, OTHER } from "./leaving-fleet.ts";

const PROGRAM = join(import.meta.dirname, "../../src/commands/cli.ts");
const COUNT = 600;
/** The number of writes after which each run is killed. */
const KILLS = [30, 301, 450];

test("fleet apply resumes after kills, and a second apply sends no write", async () => {
  const files = folder();
  const more = Array.from({ length: COUNT - 2 }, (_, index) => device(index + 3));
  const file = files.write("fleet.json", leavingFleet(more));
  const mapping = files.write(
    "m.json",
    JSON.stringify({ devices: { application_id: APPLICATION, device_profile_id: OTHER } }),
  );
  const server = await startChirpStack({ applications: [APPLICATION], profiles: [OTHER] });
  let printed = "";
  const apply = async (killAfter = Infinity): Promise<number | null> => {
    const args = ["fleet", "apply", file, "--yes", "--target", "chirpstack", "--mapping", mapping];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        CHIRPSTACK_URL: server.url,
        CHIRPSTACK_KEY: server.apiKey,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    server.forget();
    server.setFault(() => {
      if (server.writes() >= killAfter) child.kill("SIGKILL");
      return undefined;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    // Otherwise the run after a kill waits for 30 seconds.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    return code;
  };

  for (const killAfter of KILLS) expect(await apply(killAfter)).toBeNull();
  expect(server.keys.size).toBeLessThan(COUNT);
  expect(await apply()).toBe(0);
  expect([server.devices.size, server.keys.size]).toEqual([COUNT, COUNT]);
  expect([await apply(), server.writes()]).toEqual([0, 0]);
  expect([hasKey(printed), printed.includes(server.apiKey), files.names()]).toEqual([
    false,
    false,
    ["fleet.json", "m.json"],
  ]);
}, 60_000);
