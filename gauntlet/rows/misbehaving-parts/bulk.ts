import {
  createConsoleClient,
  type CreateManyOptions,
  type NewDevice,
} from "@fieldmesh/console-client";
import * as samples from "@fieldmesh/console-client/samples";
import { KEY } from "../../run/canary.ts";
import { never, once, otherCases, rejects, throws, within, type OtherRow } from "./part.ts";

type Wire = Record<string, unknown>;

/** A run that creates 20 devices, in requests of 10, and a second run after it. */
interface BulkRow extends Omit<OtherRow, "run"> {
  readonly console?: {
    /** Changes each device in the response to a request that creates devices. */
    readonly created?: (device: Wire) => unknown;
    /** Changes this whole response. */
    readonly batch?: (body: { success: unknown[]; failure: unknown[] }) => unknown;
    /** Changes the device list. */
    readonly list?: (devices: Wire[]) => unknown;
  };
  readonly source?: () => Iterable<NewDevice> | AsyncIterable<NewDevice>;
  readonly options?: () => CreateManyOptions;
  /** Aborts the signal of the run after this time. */
  readonly abortAfter?: number;
  /** Leaves the loop after this many results. */
  readonly take?: number;
}

const COUNT = 20;
const PATIENCE = 15_000;
const APP_KEY = "00112233445566778899AABBCCDDEEFF";

const deviceOf = (index: number): NewDevice => ({
  name: `Device ${index}`,
  // Not 0: zeros only are a placeholder.
  dev_eui: (index + 1).toString(16).toUpperCase().padStart(16, "0"),
  app_eui: "70B3D57ED0010001",
  app_key: APP_KEY,
});
const fleet = (): NewDevice[] => Array.from({ length: COUNT }, (_, index) => deviceOf(index));
/** Ten devices, and then whatever the part does. */
const source = (then: () => unknown) =>
  async function* () {
    yield* fleet().slice(0, COUNT / 2);
    yield (await then()) as NewDevice;
    yield* fleet().slice(COUNT / 2);
  };

const ALL = `created ${COUNT}, sent ${COUNT}`;
const CREATED = "Every device is created, and sent once.";
const shape = (fault: string, created: (device: Wire) => unknown): BulkRow => ({
  fault: `the console ${fault} in its response`,
  console: { created },
  ends: ALL,
  sentence: `${CREATED} None is sent again.`,
});
const text = (device: Wire, name: string) => String(device[name]);

const rows: readonly BulkRow[] = [
  shape("masks keys", (each) => ({ ...each, app_key: "*".repeat(32) })),
  shape("writes keys in lower case", (each) => ({
    ...each,
    app_key: text(each, "app_key").toLowerCase(),
  })),
  shape("writes EUIs with colons", (each) => ({
    ...each,
    dev_eui: text(each, "dev_eui").replaceAll(/(..)(?=.)/g, "$1:"),
  })),
  shape("writes EUIs in lower case with hyphens", (each) => ({
    ...each,
    app_eui: text(each, "app_eui")
      .toLowerCase()
      .replaceAll(/(..)(?=.)/g, "$1-"),
  })),
  shape("adds a field that is an object", (each) => ({ ...each, tags: { a: [1] } })),
  {
    fault: "the console leaves out half of the devices in its response",
    console: {
      batch: ({ success, failure }) => ({
        success: success.filter((_, index) => index % 2 === 0),
        failure,
      }),
    },
    ends: ALL,
    sentence: `${CREATED} Those that the response does not name are looked up in the device list.`,
  },
  {
    fault:
      "the console masks keys in its response and in its list, and leaves out half of the devices",
    console: {
      created: (each) => ({ ...each, app_key: "*".repeat(32) }),
      batch: ({ success, failure }) => ({
        success: success.filter((_, index) => index % 2 === 0),
        failure,
      }),
      list: (devices) => devices.map((each) => ({ ...each, app_key: "*".repeat(32) })),
    },
    ends: "created * sent 20 or created * unknown * sent 20",
    sentence: "No device is sent again. Those that cannot be found are unknown.",
  },
  {
    fault: "the source never has a next device, and the signal aborts",
    source: source(never),
    abortAfter: 3_000,
    ends: "BulkError, sent 10|0",
    sentence: "The run ends at once with a BulkError, whose checkpoint tells where to resume.",
  },
  {
    fault: "the source never has a next device, and the loop is left",
    source: source(never),
    take: 10,
    ends: "left, sent 10",
    sentence: "Leaving the loop ends the run at once.",
  },
  {
    fault: "the source throws",
    source: source(throws(new Error("of the source"))),
    ends: "BulkError, sent 10|0",
    sentence: "The run ends with a BulkError, and a new run with its checkpoint resumes.",
  },
  {
    fault: "the source contains null",
    source: source(async () => null),
    ends: "created 20, failed 1, sent 20",
    sentence: "The device is a failed result, and all others are created.",
  },
  {
    fault: "the source contains an object whose fields throw",
    source: source(async () => ({
      get name(): string {
        throw new Error("of the field");
      },
    })),
    ends: "BulkError, sent 10",
    sentence: "The run ends with a BulkError, whose checkpoint tells where to resume.",
  },
  {
    fault: "onCheckpoint never settles, and the signal aborts",
    options: () => ({ onCheckpoint: never }),
    abortAfter: 3_000,
    ends: "BulkError, sent 0",
    sentence: "Nothing is sent before a checkpoint is stored. The signal ends the run.",
  },
  {
    fault: "onCheckpoint throws",
    options: () => ({ onCheckpoint: throws(new Error("of the checkpoint")) as () => void }),
    ends: "BulkError, sent 0",
    sentence: "The run ends with a BulkError before anything is sent.",
  },
  {
    fault: "onCheckpoint rejects once",
    options: () => ({
      onCheckpoint: once(rejects(new Error("of the checkpoint")), () => undefined) as () => void,
    }),
    ends: "BulkError, sent 0",
    sentence: "The run ends with a BulkError before anything is sent.",
  },
  {
    fault: "onProgress never settles",
    options: () => ({ onProgress: never as () => void }),
    ends: ALL,
    sentence: CREATED,
  },
  {
    fault: "onProgress throws",
    options: () => ({ onProgress: throws(new Error("of the progress")) as () => void }),
    ends: ALL,
    sentence: CREATED,
  },
  {
    fault: "a checkpoint with one changed digit",
    options: () => ({ checkpoint: changedCheckpoint() }),
    ends: "CheckpointError, sent 0",
    sentence: "The run rejects the checkpoint before anything is sent.",
  },
];

let stored: CreateManyOptions["checkpoint"];

/** A checkpoint of a run that has ended, in which a number of settled devices has another digit. */
function changedCheckpoint(): NonNullable<CreateManyOptions["checkpoint"]> {
  const json = JSON.stringify(stored);
  return JSON.parse(json.replace(/10/, "11")) as NonNullable<typeof stored>;
}

async function run(row: BulkRow): Promise<string> {
  const first = await runOnce({
    options: () => ({ onCheckpoint: (each) => void (stored = each) }),
  });
  if (!first.startsWith(ALL)) return `without a fault: ${first}`;
  return await runOnce(row);
}

/** Runs against a console that does all of its work, and describes the results and the number of devices that it received. */
async function runOnce({
  console = {},
  source: devices = fleet,
  options = () => ({}),
  abortAfter,
  take,
}: Partial<BulkRow>): Promise<string> {
  const held: Wire[] = [];
  const sample = samples.devices.list.output[0];
  const client = createConsoleClient({
    baseUrl: "https://console.example",
    apiKey: KEY,
    retry: false,
    onDrift: () => undefined,
    fetch: async (url, { method, body }) => {
      const respond = (output: unknown) => new Response(JSON.stringify(output));
      if (new URL(url).pathname.endsWith("/organization"))
        return respond(samples.organization.list.output);
      if (method === "GET") return respond(console.list?.(held) ?? held);
      const sent = (JSON.parse(String(body)) as { devices: NewDevice[] }).devices;
      const added = sent.map((each, index) => ({
        ...sample,
        ...each,
        labels: [],
        id: `4a1d3f0c-6f0d-4d6c-9d3b-${String(held.length + index).padStart(12, "0")}`,
      }));
      held.push(...added);
      const response = {
        success: added.map((each) => console.created?.(each) ?? each),
        failure: [],
      };
      return respond(console.batch?.(response) ?? response);
    },
  });
  const signal = abortAfter === undefined ? {} : { signal: AbortSignal.timeout(abortAfter) };
  const start = async (): Promise<string> => {
    const running = client.devices.createMany(devices(), {
      chunkSize: 10,
      concurrency: 1,
      settleTime: 1,
      ...signal,
      ...options(),
    });
    if (take !== undefined) {
      let taken = 0;
      for await (const _ of running) if (++taken === take) break;
      return "left";
    }
    const { created, failed, unknown } = await running;
    return Object.entries({ created, failed, unknown })
      .filter(([, count]) => count > 0)
      .map((each) => each.join(" "))
      .join(", ");
  };
  const named = (error: unknown) => (error instanceof Error ? error.name : String(error));
  const end = await within(PATIENCE, start().catch(named));
  return `${end}, sent ${held.length}`;
}

export const bulkCases = otherCases(
  "bulk",
  rows.map((row) => ({ ...row, run: () => run(row) })),
);
