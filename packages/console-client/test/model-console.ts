// A console in memory for thousands of bulk runs. It fails as planned, its device list may lag, and it records what the client could see.
import * as samples from "../src/samples.ts";
import {
  createConsoleClient,
  type ConsoleClient,
  type ConsoleClientOptions,
  type NewDevice,
} from "../src/index.ts";

/** What happens to a request that changes something. With `late`, the console does the work after the client has given up. */
export type Fate =
  | "ok"
  | "reset"
  | "lost"
  | "truncated"
  | "503 before"
  | "502 after"
  | "429"
  | "401"
  | "late";

/** How the console behaves. */
export interface Plan {
  readonly duplicates: "allowed" | "rejected";
  /** What happens to each request that changes something, in order. Requests after the last entry are `ok`. */
  readonly fates: readonly Fate[];
  /**
   * `behind`: how many changes each list lacks; the last number applies to all later lists. `catchesUp`: the list begins without any change of the
   * run, and each read shows at least one more change.
   */
  readonly lag: { readonly behind: readonly number[] } | { readonly catchesUp: readonly number[] };
}

/** A device as the model stores it. */
export interface ModelDevice {
  readonly id: string;
  readonly name: string;
  readonly dev_eui: string;
  readonly app_eui: string;
  readonly app_key: string;
  active: boolean;
  label_ids: string[];
}

/** A request that the client sent, or a list that it read. */
export type Seen =
  | { readonly kind: "sent"; readonly what: string; readonly fate: Fate }
  | { readonly kind: "read"; readonly devices: ReadonlyMap<string, ModelDevice> };

const SOON = 40;
const LATER = 20_000;
/** How long after its timeout a late request is carried out. Several lists are read in that time. */
const LATE_BY = 30;
const sample = samples.devices.list.output[0]!;
const ORGANIZATION = samples.organization.list.output;

/** Returns the id of a record by its number. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Returns a device by its number. A negative number makes it invalid; from 900, the console rejects its name. */
export function deviceOf(number: number): NewDevice {
  return {
    name: number < 0 ? "" : number >= 900 ? `bad ${number}` : `Device ${number}`,
    dev_eui: Math.abs(number).toString(16).toUpperCase().padStart(15, "0").padStart(16, "A"),
    app_eui: "70B3D57ED0010001",
    app_key: "00112233445566778899AABBCCDDEEFF",
  };
}

/** Starts a console that behaves as planned, with the given number of devices. */
export function startModel(plan: Plan, count = 0) {
  const devices = new Map<string, ModelDevice>();
  const label = idOf(0xfff);
  let nextId = 1;
  const add = (input: NewDevice): ModelDevice => {
    const { name, dev_eui, app_eui, app_key } = input as ModelDevice;
    const device: ModelDevice = {
      id: idOf(nextId++),
      name,
      dev_eui,
      app_eui,
      app_key,
      active: true,
      label_ids: [],
    };
    devices.set(device.id, device);
    return device;
  };
  for (let number = 0; number < count; number++) add(deviceOf(number));
  const copy = (): ReadonlyMap<string, ModelDevice> =>
    new Map(Array.from(devices, ([id, each]) => [id, { ...each, label_ids: [...each.label_ids] }]));
  /** The devices after each change. */
  const versions = [copy()];
  const seen: Seen[] = [];
  const fates = [...plan.fates];
  let position = 0;
  let reads = 0;

  function listVersion(): ReadonlyMap<string, ModelDevice> {
    const last = versions.length - 1;
    if ("behind" in plan.lag) {
      const behind = plan.lag.behind[reads++] ?? plan.lag.behind.at(-1) ?? 0;
      return versions[Math.max(0, last - behind)]!;
    }
    position = Math.min(last, position + (plan.lag.catchesUp[reads++] ?? last));
    return versions[position]!;
  }

  function work(method: string, path: string, body: Record<string, unknown>): [number, unknown] {
    const [, id = "", , labelId = ""] =
      /\/devices\/?([^/]*)(\/labels\/?)?([^/]*)$/.exec(path) ?? [];
    const device = devices.get(id);
    if (method === "POST" && id === "") return [200, createBatch(body["devices"] as NewDevice[])];
    if (device === undefined) return [404, "Device not found"];
    if (method === "DELETE" && labelId === "") devices.delete(id);
    else if (method === "PUT") device.active = body["active"] as boolean;
    else if (method === "POST") device.label_ids = [...device.label_ids, body["label"] as string];
    else device.label_ids = device.label_ids.filter((each) => each !== labelId);
    return [200, method === "PUT" ? toWire(device) : "done"];
  }

  function createBatch(batch: readonly NewDevice[]) {
    const success: unknown[] = [];
    const failure: unknown[] = [];
    for (const each of batch) {
      const taken = [...devices.values()].some(({ dev_eui }) => dev_eui === each.dev_eui);
      const error = each.name.startsWith("bad")
        ? "name: is not allowed"
        : taken && plan.duplicates === "rejected"
          ? "dev_eui: has already been taken"
          : undefined;
      if (error === undefined) success.unshift({ ...toWire(add(each)) });
      else failure.unshift({ ...each, error });
    }
    return { success, failure };
  }

  function change(method: string, path: string, body: Record<string, unknown>): Response {
    const before = JSON.stringify([...devices.values()]);
    const [status, output] = work(method, path, body);
    // Only a change that a list can show counts.
    if (JSON.stringify([...devices.values()]) !== before) versions.push(copy());
    return typeof output === "string"
      ? new Response(output, { status })
      : new Response(JSON.stringify(output), { status });
  }

  async function fetch(
    url: string,
    { method, body, signal }: { method: string; body?: string; signal: AbortSignal },
  ): Promise<Response> {
    await nextTurn();
    const { pathname } = new URL(url);
    if (pathname.endsWith("/organization")) return new Response(JSON.stringify(ORGANIZATION));
    if (method === "GET") {
      const shown = listVersion();
      seen.push({ kind: "read", devices: shown });
      return new Response(JSON.stringify(Array.from(shown.values(), toWire)));
    }
    const input = (body === undefined ? {} : JSON.parse(body)) as Record<string, unknown>;
    const fate = fates.shift() ?? "ok";
    const names = (input["devices"] as NewDevice[] | undefined)?.map(({ dev_eui }) => dev_eui);
    for (const what of names ?? [`${method} ${pathname}`]) seen.push({ kind: "sent", what, fate });
    switch (fate) {
      case "ok": {
        const response = change(method, pathname, input);
        await nextTurn();
        return response;
      }
      case "reset":
        throw reset();
      case "lost":
        change(method, pathname, input);
        throw reset();
      case "truncated": {
        const response = change(method, pathname, input);
        return new Response((await response.text()).slice(0, -1).padEnd(3, "["), response);
      }
      case "502 after":
        change(method, pathname, input);
        return new Response("Bad Gateway", { status: 502 });
      case "503 before":
        return new Response("Service Unavailable", { status: 503 });
      case "429":
        // Without Retry-After, so that the client waits as its settings say, which are short here.
        return new Response("Too many requests", { status: 429 });
      case "401":
        return new Response("Unauthorized", { status: 401 });
      case "late":
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        setTimeout(() => change(method, pathname, input), LATE_BY);
        throw reset();
    }
  }

  function connect(options: Partial<ConsoleClientOptions> = {}): ConsoleClient {
    return createConsoleClient({
      baseUrl: "https://console.test",
      apiKey: "canary-key-77",
      fetch,
      retry: { baseDelay: 1, maxDelay: 1 },
      ...options,
    });
  }

  /** Removes the earlier states: no later list shows them. */
  function restart(): void {
    versions.splice(0, versions.length, copy());
  }

  // Short only for a request that must time out: on a busy machine any request may take that long.
  const isLate = plan.fates.includes("late");
  const timeout = isLate ? SOON : LATER;
  /** Waits until all requests have been carried out. */
  const quiet = (): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, isLate ? 2 * LATE_BY : 0));

  return { add, connect, devices, seen, label, restart, timeout, quiet };
}

export type Model = ReturnType<typeof startModel>;

function toWire({ label_ids, ...device }: ModelDevice) {
  const labels = label_ids.map((id) => ({ id, name: "Pumps" }));
  return { ...sample, ...device, labels };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function reset(): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return new TypeError("fetch failed", { cause });
}
