import {
  createForwarder,
  createMapperClient,
  type ForwarderOptions,
} from "@fieldmesh/mapper-client";
import * as samples from "@fieldmesh/mapper-client/samples";
import { sendJson, startOrigin, type Respond } from "../../parts/origin.ts";
import { KEY } from "../../run/canary.ts";
import { never, once, otherCases, rejects, shown, throws, within, type OtherRow } from "./part.ts";

const UPLINK = samples.mapper.ingest.input;
const PATIENCE = 15_000;

/** Two uplinks to a forwarder. The part misbehaves for the first one. */
interface ForwarderRow extends Omit<OtherRow, "run"> {
  readonly options?: () => Partial<ForwarderOptions>;
  readonly respond?: () => Respond;
}

const ok: Respond = (_, response) => sendJson(response, 200, '"Success"');
const built = { isMappable: true, uplink: UPLINK, changes: [] } as const;
const map = (fault: string, bad: Respond, ends: string, sentence: string): ForwarderRow => ({
  fault: `the map ${fault}`,
  respond: () => (request, response, number) =>
    (number === 1 ? bad : ok)(request, response, number),
  ends,
  sentence,
});
const WORKS = "200 forwarded, then 200 forwarded ×2";

const rows: readonly ForwarderRow[] = [
  map(
    "never responds",
    () => undefined,
    "200 unknown, then 200 forwarded ×2",
    "The outcome is unknown after the timeout, and you decide whether to send it again. The next uplink is forwarded.",
  ),
  map(
    "responds with a page",
    (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    "200 forwarded|unknown, then 200 forwarded ×2",
    "The uplink counts as sent, and is not sent again. The next one is forwarded.",
  ),
  map(
    "responds with null",
    (_, response) => sendJson(response, 200, "null"),
    "200 forwarded, then 200 forwarded ×2",
    "The uplink counts as sent, and is not sent again. The next one is forwarded.",
  ),
  map(
    "responds with 500",
    (_, response) => sendJson(response, 500, "{}"),
    "200 unknown, then 200 forwarded ×2",
    "The outcome is unknown. The next uplink is forwarded.",
  ),
  map(
    "responds with 429, and asks to wait a year",
    (_, response) => response.writeHead(429, { "retry-after": "31536000" }).end(),
    "503 not_sent, then 503 not_sent ×1",
    "The deliveries get a 503, and nothing is sent for an hour.",
  ),
  {
    fault: "build throws",
    options: () => ({ build: once(throws(new Error("of the builder")), () => built) as never }),
    ends: "Error, then 200 forwarded ×1",
    sentence:
      "The forwarder rejects with the error, so that its server responds with a 500. The next uplink is forwarded.",
  },
  {
    fault: "build returns undefined",
    options: () => ({
      build: once(
        () => undefined,
        () => built,
      ) as never,
    }),
    ends: "TypeError, then 200 forwarded ×1",
    sentence:
      "The forwarder rejects with a TypeError, so that its server responds with a 500. The next uplink is forwarded.",
  },
  ...(
    [
      ["never settles", never],
      ["throws", throws(new Error("of the report"))],
      ["rejects", rejects(new Error("of the report"))],
    ] as const
  ).map(([fault, bad]): ForwarderRow => ({
    fault: `onReport ${fault}`,
    options: () => ({ onReport: once(bad, () => undefined) }),
    ends: WORKS,
    sentence: "Both uplinks are forwarded.",
  })),
];

async function run({ options = () => ({}), respond = () => ok }: ForwarderRow): Promise<string> {
  const origin = await startOrigin(respond());
  const seen: unknown[] = [];
  try {
    const client = createMapperClient({
      baseUrl: origin.url,
      timeout: 2_000,
      retry: { baseDelay: 1 },
    });
    const forward = createForwarder({
      client,
      authorization: { name: "x-key", value: KEY },
      build: () => built as never,
      ...options(),
    });
    const ends: string[] = [];
    for (let number = 0; number < 2; number++) {
      const init = { method: "POST", headers: { "x-key": KEY }, body: JSON.stringify(UPLINK) };
      const delivery = async () => {
        const response = await forward(new Request("http://127.0.0.1/", init));
        const { outcome } = (await response.json()) as { outcome: string };
        return `${response.status} ${outcome}`;
      };
      const named = (error: unknown) => (seen.push(error), (error as Error).name);
      ends.push(await within(PATIENCE, delivery().catch(named)));
    }
    return `${ends.join(", then ")} ×${origin.requests()}${shown(seen)}`;
  } finally {
    await origin[Symbol.asyncDispose]();
  }
}

export const forwarderCases = otherCases(
  "forwarder",
  rows.map((row) => ({ ...row, run: () => run(row) })),
);
