import type { Clock } from "@fieldmesh/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../engine/time/clocks.ts";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { testContext } from "../testing/context.ts";
import { showActivity } from "./show-activity.ts";

let sandbox: RunningSandbox<Clock>;
beforeEach(async () => {
  vi.stubEnv("FORCE_COLOR", "1");
  vi.stubEnv("NO_COLOR", undefined);
  const clock = createVirtualClock("2026-11-20T08:00:00Z");
  sandbox = (await startSandbox({ clock })) as RunningSandbox<Clock>;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const COLORS = ["red", "green", "yellow", "", "magenta"] as const;

/** Writes colors as tags, and masks the hour, which depends on the time zone of the machine, the duration and the id. */
const tagged = (line: string): string =>
  line
    // oxlint-disable-next-line no-control-regex -- how a terminal is told a color
    .replace(/\u001B\[(\d+)m/g, (_, code: string) => {
      if (code === "2") return "<dim>";
      return code.startsWith("3") && code !== "39" ? `<${COLORS[Number(code) - 31]}>` : "</>";
    })
    .replaceAll(/\d\d:(\d\d:\d\d)/g, "hh:$1")
    .replace(/\d+ ms/, "n ms")
    .replace(/evt_\w+/, "evt_…");

test.each([
  [200, "green"],
  [302, "green"],
  [399, "green"],
  [400, "yellow"],
  [499, "yellow"],
  [500, "red"],
  [503, "red"],
])("the status %i of a delivery is %s", async (status, color) => {
  const { output, lines } = testContext();
  showActivity(sandbox, output, "fieldmesh-sandbox");
  const fetch = async () => new Response(null, { status });
  sandbox.webhooks.register({ url: "https://hooks.test/", fetch });
  await sandbox.webhooks.trigger("sim.activated");
  const end = status === 200 ? "delivered" : "pending, next at hh:00:30";
  expect(lines.map(tagged)).toEqual([
    `<dim>hh:00:00</>  webhook  POST    <${color}>${status}</>  https://hooks.test/  <dim>sim.activated  evt_…</>  <dim>n ms</>  ${end}`,
  ]);
});

test("what was broken off is red, a fault is magenta, and a hint is yellow", async () => {
  const { output, lines } = testContext();
  const send = (key: string) =>
    fetch(`${sandbox.origin}/console/api/v1/labels`, { headers: { key } }).catch(() => undefined);
  showActivity(sandbox, output, "fieldmesh-sandbox");
  sandbox.setFaults([{ on: "labels.list", kind: "reset" }]);
  await send(sandbox.apiKey);
  await send(sandbox.mobile.apiKey ?? "");
  const line = (status: string, note: string) =>
    `<dim>hh:00:00</>  console  GET     ${status}  /console/api/v1/labels  <dim>labels.list</>  <dim>n ms</>  ${note}`;
  expect(lines.map(tagged)).toEqual([
    line("<red>---</>", "<magenta>fault: reset</>"),
    line("<yellow>401</>", "<yellow>this is the key of the mobile service</>"),
  ]);
});
