import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lists } from "../packages/cli/src/ledger/export/lists.ts";
import { resolveTimes } from "../packages/cli/src/ledger/export/times.ts";
import { parseUtc } from "../packages/console-client/src/utc.ts";
import { readerOf } from "../packages/ledger-client/src/parallel/plan.ts";
import { readTime } from "../packages/ledger-client/src/time.ts";
import { arrivalOptions } from "../packages/sandbox/src/commands/webhooks/saved-delivery.ts";
import { readIso } from "../packages/sandbox/src/engine/ledger/iso-8601.ts";
import { timeReaders } from "../packages/sandbox/src/engine/ledger/times.ts";
import { createVirtualClock } from "../packages/sandbox/src/engine/index.ts";
import { readEventTime } from "../packages/webhook-types/src/events/event-time.ts";
import { fits } from "./json-schema/full-value.ts";
import {
  findBareAborts,
  findOwnReaders,
  findRealmTests,
  type Found,
  listReaders,
  openSources,
} from "./own-readers.ts";

const program = openSources();

/** Why a source reads a time in its own way. */
const OWN_READERS: Readonly<Record<string, string>> = {
  "packages/core/src/stamp.ts": "is the one function, and reads a day that has one form",
  "packages/http/src/wire/hint.ts": "reads the dates of HTTP, which have three other forms",
  "examples/service/nightly.ts":
    "reads what it has written, and a program of a user has no core/internal",
};

/** Why a source asks for the class of this realm. */
const RESPONSE = "is a Response of our own function, beside its other results";
const REALM_TESTS: Readonly<Record<string, string>> = {
  "packages/core/src/realm.ts": "asks for this realm first",
  "packages/webhook-types/src/verify/message.ts": "asks for this realm first",
  "packages/mapper-client/src/forwarder.ts": RESPONSE,
  "packages/mapper-client/src/uplink-receiver.ts": RESPONSE,
  "packages/prove/src/job/job-rules.ts": "reads the state of our own sandbox",
  "packages/cli/src/commands/failure.ts": "is for help too, which loads no code of core",
  "tools/canaries/canaries.ts": "looks at what our own tests print",
  "tools/canaries/scanner.ts": "looks at what our own tests write",
  "packages/sandbox/src/engine/console/rows/integrations.ts": RESPONSE,
  "packages/sandbox/src/engine/ledger/blocks.ts": RESPONSE,
  "packages/sandbox/src/engine/ledger/paging.ts": RESPONSE,
  "packages/sandbox/src/engine/serve/responses.ts": RESPONSE,
  "packages/sandbox/src/engine/serve/serve-actions.ts": RESPONSE,
};

/** Why a source aborts without a reason. */
const ONCE = "is for help too, which loads no code of core, and aborts once in a process";
const SAMPLE = "is a program of a user, who has no core/internal";
const BARE_ABORTS: Readonly<Record<string, string>> = {
  "packages/cli/src/commands/cli.ts": ONCE,
  "packages/sandbox/src/commands/cli.ts": ONCE,
  "examples/import-worker.ts": SAMPLE,
  "examples/import-with-workers.ts": SAMPLE,
  "examples/reconcile-nightly.ts": SAMPLE,
};

test.each([
  ["reads a time on its own: use readStamp of core", findOwnReaders, OWN_READERS],
  ["asks for a class, not isDate and its siblings of core", findRealmTests, REALM_TESTS],
  ["aborts without a reason: use ENDED of core", findBareAborts, BARE_ABORTS],
])("no source %s, unless its reason is here", (_, search, reasons) => {
  const found = search(program);
  const isExcused = ({ path }: Found): boolean => reasons[path] !== undefined;
  expect(found.filter((each) => !isExcused(each))).toEqual([]);
  const paths = new Set(found.map(({ path }) => path));
  expect(Object.keys(reasons).filter((path) => !paths.has(path))).toEqual([]);
});

test("the search finds what it is for, and passes by what does no harm", () => {
  const path = "packages/core/src/uncaught.ts";
  const planted = openSources({
    [path]: `
      declare const text: string, stamp: unknown, either: Date | string, time: number;
      export const found = [Date.parse(text), new Date(text), new Date(stamp as string), new Date(either)];
      export const harmless = [new Date(), new Date(time), new Date(time * 1_000), new Date(2026, 10)];
      export const tests = [stamp instanceof Date, stamp instanceof AbortSignal, stamp instanceof Own];
      class Own {}
      const controller = new AbortController(), { signal } = controller;
      export const aborts = () => [controller.abort(), controller?.abort(), controller.abort(signal.reason)];
    `,
  });
  const of = (found: readonly Found[]): string[] =>
    found.filter((each) => each.path === path).map(({ code }) => code);
  expect(of(findOwnReaders(planted))).toEqual([
    "Date.parse(text)",
    "new Date(text)",
    "new Date(stamp as string)",
    "new Date(either)",
  ]);
  expect(of(findRealmTests(planted))).toEqual([
    "stamp instanceof Date",
    "stamp instanceof AbortSignal",
  ]);
  expect(of(findBareAborts(planted))).toEqual(["controller.abort()", "controller?.abort()"]);
});

const T = Date.UTC(2026, 10, 20, 8, 30, 15);
const NONE = undefined;

/** What each form is to every reader, in milliseconds, before the reader cuts it. */
const forms: readonly (readonly [form: string, text: string, time: number | undefined])[] = [
  ["no zone", "2026-11-20T08:30:15", T],
  ["a day", "2026-11-20", Date.UTC(2026, 10, 20)],
  ["UTC", "2026-11-20T08:30:15Z", T],
  ["an offset", "2026-11-20T10:00:15+01:30", T],
  ["microseconds", "2026-11-20T08:30:15.123456Z", T + 123.456],
  ["a leap second, which no Date has", "2016-12-31T23:59:60Z", NONE],
  ["a day that does not exist", "2026-02-30T08:30:15Z", NONE],
  ["an hour that does not exist", "2026-11-20T25:30:15Z", NONE],
  ["a form of `new Date` only", "20 Nov 2026 08:30:15 GMT", NONE],
  ["no date", "yesterday", NONE],
  ["nothing", "", NONE],
];

/** A reader in a source. It throws, or returns `undefined` or NaN, for what is not a time. */
interface Reader {
  readonly read: (value: never) => number | undefined;
  /** Milliseconds to which it cuts times. */
  readonly cut?: number;
}

const exact: Omit<Reader, "read"> = { cut: 0 };
const MINUTE = { cut: 60_000 };
const { timeOf } = lists.rewards;

const readers: Readonly<Record<string, readonly Reader[]>> = {
  "packages/cli/src/ledger/export/lists.ts": [
    { read: (timestamp) => timeOf({ timestamp }), ...exact },
  ],
  "packages/cli/src/ledger/export/times.ts": [
    { read: (text) => timeReaders.spec(resolveTimes(text, "now", 2 * T).min ?? "", 0) },
    { read: (text) => timeReaders.spec(resolveTimes(undefined, text, 0).max, 0) },
  ],
  "packages/console-client/src/utc.ts": [{ read: (stamp) => parseUtc(stamp).getTime() }],
  "packages/ledger-client/src/parallel/plan.ts": [
    { read: (stamp) => readerOf({ field: "time", readTime }, 0)(stamp), ...exact },
  ],
  "packages/ledger-client/src/time.ts": [{ read: (text) => readTime(text, 0), ...exact }],
  "packages/sandbox/src/commands/webhooks/saved-delivery.ts": [
    { read: (at) => arrivalOptions({ arguments: [], options: { at } }).now?.(), ...exact },
  ],
  "packages/sandbox/src/engine/ledger/iso-8601.ts": [{ read: readIso, ...exact }],
  "packages/sandbox/src/engine/ledger/times.ts": [
    { read: (text) => timeReaders.observed(text, 0), ...MINUTE },
    { read: (text) => timeReaders.spec(text, 0), ...exact },
  ],
  "packages/sandbox/src/engine/time/sleepers.ts": [
    { read: (start) => createVirtualClock(start).now() },
  ],
  "packages/webhook-types/src/events/event-time.ts": [
    {
      read(created_at) {
        const read = readEventTime({ created_at });
        return "time" in read ? read.time : NONE;
      },
      ...exact,
    },
  ],
  "tools/json-schema/full-value.ts": [
    {
      read: (text) => (fits(text, { format: "date-time" }) ? timeReaders.spec(text, 0) : NONE),
      ...exact,
    },
  ],
};

/** Why a source, or those of a folder, read times with the functions of core, and have no row above. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {
  "packages/core/src/stamp.ts": "defines them, and stamp.test.ts has a table of its own",
  "packages/cli/src/ledger/export/read-list.ts": "reads what times.ts has written",
  "packages/cli/src/output/times.ts": "shows a person how long ago it was: cli/test/lists.test.ts",
  "packages/sandbox/src/engine/controls/records.ts":
    "orders what is in the sandbox: records.test.ts",
  "packages/mirror/src/": "is tested as a whole: test",
  "packages/mobile-client/src/catch-up/": "is tested as a whole: test/catch-up.test.ts",
  "packages/sandbox/src/commands/webhooks/catch-up-place.ts": "reads what it has written",
  "packages/sandbox/src/commands/webhooks/catch-up.ts":
    "is tested as a whole: catch-up-list.test.ts",
  "packages/prove/src/invariants.ts": "reads the events of its own plan",
  "packages/webhook-types/src/events/statements.ts":
    "only tells whether it is a time: test/statements.test.ts",
  "packages/webhook-types/src/samples.ts": "reads our own sample",
};

test("each source that reads times has a row, or a reason why not", () => {
  const rows = [...Object.keys(readers), ...Object.keys(WITHOUT_ROW)];
  const sources = listReaders(program);
  const hasRow = (source: string): boolean => rows.some((row) => source.startsWith(row));
  expect(sources.filter((source) => !hasRow(source))).toEqual([]);
  const isUsed = (row: string): boolean => sources.some((source) => source.startsWith(row));
  expect(rows.filter((row) => !isUsed(row))).toEqual([]);
});

describe.each(
  Object.entries(readers).flatMap(([path, all]) => all.map((reader) => [path, reader] as const)),
)("%s", (_, { read, cut = 1 }) => {
  // A machine in UTC would read a time without a zone as it should be.
  beforeEach(() => void vi.stubEnv("TZ", "Asia/Tokyo"));
  afterEach(() => void vi.unstubAllEnvs());

  test.each(forms)("reads %s like every other reader", (__, text, time) => {
    let found: number | undefined;
    try {
      found = read(text as never);
    } catch (error) {
      if (text !== "") expect(String(error)).not.toContain(text);
    }
    if (time === undefined) expect(found ?? Number.NaN).toBeNaN();
    else expect(found).toBe(cut === 0 ? time : Math.floor(time / cut) * cut);
  });
});
