// A console that does all its work, and shows devices in another form.
import * as samples from "../src/samples.ts";
import {
  createConsoleClient,
  type ConsoleClient,
  type ConsoleClientOptions,
  type NewDevice,
} from "../src/index.ts";
import { idOf } from "./model-console.ts";

type Wire = Record<string, unknown>;

/** How the console shows what it has. What is omitted is shown as it is. */
export interface OddConsole {
  /** Changes each device of the response to a bulk create. `undefined` leaves the device out. */
  readonly created?: (device: Wire) => unknown;
  /** Changes the whole response to a bulk create. */
  readonly batch?: (body: { success: unknown[]; failure: unknown[] }) => unknown;
  /** The response to a bulk create ends too early. */
  readonly isCutOff?: boolean;
  /** Changes each device of the list. */
  readonly listed?: (device: Wire) => unknown;
  /** Changes the whole list. */
  readonly list?: (devices: unknown[]) => unknown;
  /** Called before each request that changes a device. It may throw, so that the request breaks. */
  readonly change?: () => void | Promise<void>;
  /** What `organization.list` returns. */
  readonly organization?: unknown;
  /** Called before each request to create devices. It may throw, so that the request breaks. */
  readonly receive?: (number: number, add: () => void) => void | Promise<void>;
}

const sample = samples.devices.list.output[0]!;

/** Starts a console that allows duplicates, with a client. */
export function startOddConsole(console: OddConsole, options: Partial<ConsoleClientOptions> = {}) {
  const devices: Wire[] = [];
  const counts = { creates: 0, lists: 0, changes: 0 };
  const as = (show: ((device: Wire) => unknown) | undefined, all: readonly Wire[]): unknown[] =>
    all
      .map((each) => (show === undefined ? each : show(each)))
      .filter((each) => each !== undefined);

  const client: ConsoleClient = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "a-key-that-nobody-checks",
    retry: false,
    fetch: async (url, { method, body }) => {
      const { pathname } = new URL(url);
      const respond = (output: unknown) => new Response(JSON.stringify(output));
      if (pathname.endsWith("/organization"))
        return respond(
          "organization" in console ? console.organization : samples.organization.list.output,
        );
      if (method === "GET") {
        counts.lists++;
        const shown = as(console.listed, devices);
        return respond(console.list === undefined ? shown : console.list(shown));
      }
      if (!pathname.endsWith("/devices")) {
        counts.changes++;
        await console.change?.();
        return respond(null);
      }
      const sent = (JSON.parse(body as string) as { devices: NewDevice[] }).devices;
      const added: Wire[] = [];
      const add = (): void => {
        for (const each of sent) {
          const device = { ...sample, labels: [], ...each, id: idOf(devices.length + 1) };
          devices.push(device);
          added.push(device);
        }
      };
      const number = counts.creates++;
      await console.receive?.(number, add);
      if (added.length === 0) add();
      const response = { success: as(console.created, added), failure: [] };
      const shown = console.batch === undefined ? response : console.batch(response);
      if (console.isCutOff !== true) return respond(shown);
      return new Response(JSON.stringify(shown).slice(0, -1));
    },
    ...options,
  });
  return { client, devices, counts };
}

/** The error of a connection that broke. */
export function reset(): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return new TypeError("fetch failed", { cause });
}
