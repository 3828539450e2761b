import { type FaultRule, startSandbox, toNodeListener } from "@fieldmesh/sandbox";
import { type Handler, serve, services } from "@fieldmesh/sandbox/internal/services";
import { startServer } from "../tools/testing/http-server.ts";
import type { Place, Setting } from "./setting.ts";

/** The faults of `checks/console.ts`. */
const FAULTS: Readonly<Record<string, FaultRule>> = {
  reset: { kind: "reset" },
  lost: { kind: "lost", on: "labels.create" },
  truncated: { kind: "truncate" },
  unavailable: { kind: "status", status: 503 },
  "too many": { kind: "status", status: 429, retryAfter: 1 },
  down: { kind: "status", status: 503, times: Infinity },
  slow: { kind: "delay", ms: 5_000, times: Infinity },
  garbage: { kind: "garbage", times: Infinity },
};
/** An account of the sandbox with a long list of rewards. */
const ACCOUNT = 7;

/** Starts the servers of the checks on loopback. */
export async function startServers(): Promise<{ setting: Setting; close: () => Promise<void> }> {
  const closing: (() => Promise<void>)[] = [];
  const startSamples = async (handler: Handler): Promise<string> => {
    const server = await startServer(toNodeListener(handler));
    closing.push(() => server[Symbol.asyncDispose]());
    return server.baseUrl;
  };
  const start = async (fault?: FaultRule) => {
    const sandbox = await startSandbox({ seed: 1, ...(fault && { faults: [fault] }) });
    closing.push(() => sandbox.close());
    return sandbox;
  };
  const place = ({ console, apiKey }: Awaited<ReturnType<typeof start>>): Place => ({
    console: console.baseUrl,
    apiKey,
  });

  const samples = await Promise.all(
    services.map(async ({ name, tables }) => [name, await startSamples(serve(tables))] as const),
  );
  const faults = await Promise.all(
    Object.entries(FAULTS).map(async ([name, fault]) => [name, place(await start(fault))] as const),
  );
  const sandbox = await start();
  const account = sandbox.ledger.state.chain.addresses.of(ACCOUNT);
  return {
    setting: {
      samples: Object.fromEntries(samples),
      sandbox: { ...place(sandbox), ledger: sandbox.ledger.baseUrl, account },
      faults: Object.fromEntries(faults),
    },
    close: async () => {
      await Promise.all(closing.map((each) => each()));
    },
  };
}
