import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "../../packages/core/src/index.ts";
import { kindOf, responseSchema } from "../../packages/http/src/internal.ts";
import { consoleUplink } from "../testing/uplinks.ts";
import { ConsoleUplink } from "../../packages/mapper-client/src/uplink.ts";
import type { ServiceName } from "../../packages/sandbox/src/services.ts";
import { rows } from "../testing/services.ts";
import { eventTypes, type EventType } from "../../packages/webhook-types/src/index.ts";
import { declaredInHidden } from "../../packages/webhook-types/src/events/generated/hidden-fields.ts";
import { eventSchema } from "../../packages/webhook-types/src/parse/index.ts";
import { sampleEvent } from "../../packages/webhook-types/src/samples.ts";
import { CANARY, placesOf, plantAll, withDrift, type Planted } from "./places.ts";
import {
  printsOfCall,
  printsOfCommand,
  printsOfEvent,
  printsOfUplink,
  REVEALED,
  type Prints,
} from "./printers.ts";

// Every place where a schema lets any value through × every printer and store.

type Kind = Planted["kind"];
const ALL: readonly Kind[] = ["secret", "personal", "unlisted"];

/** What each printer and store hides. Results keep what the list does not name; what others read shows nothing undeclared. */
const HIDES: Readonly<Record<string, readonly Kind[]>> = {
  JSON: ["secret"],
  inspect: ["secret"],
  hooks: ALL,
  logger: ALL,
  channels: ALL,
  onDrift: ALL,
  errors: ALL,
  "command line": ALL,
  redactEvent: ALL,
  "poison in memory": ["secret"],
  "poison in SQLite": ["secret"],
  mirror: ["secret", "personal"],
  [REVEALED]: [],
};
const RESULTS: ReadonlySet<string> = new Set(["JSON", "inspect"]);
const STORES: ReadonlySet<string> = new Set(["poison in memory", "poison in SQLite", "mirror"]);

type Shows = (place: string) => boolean;
const NOTHING: Shows = () => false;
const METADATA: Shows = (place) => place.includes(".metadata");
/** What results show whatever its name: the ledger is public, and the `metadata` of the user is returned as it is. */
const SHOWN: Readonly<Record<ServiceName, Shows>> = {
  console: NOTHING,
  ledger: () => true,
  mapper: NOTHING,
  mobile: METADATA,
};

const MODES = ["strict", "warn", "off"] as const;
/** A type that the contract does not have. */
const NEW = "a.new_type" as EventType;
const tally = { places: 0, planted: 0, hidden: 0, printers: new Set<string>() };

describe.each(rows)("in results of $call", (each) => {
  const { row, service } = each;
  const isText = kindOf(row.result) === "text";
  const shows = SHOWN[service.name];

  test("nothing undeclared leaks from any place", async () => {
    const schema = responseSchema(row);
    const values = isText ? [] : plantAll(schema, row.sample.output);
    expect(placesNotBuilt(placesOf(schema), values)).toEqual([]);
    const faults: string[] = [];
    for (const { value, planted } of values) {
      const prints = await printsOfCall(each, value, { validation: "strict" });
      expect(prints.get("errors")).toBeUndefined();
      const failed = await printsOfCall(each, value, { validation: "strict", status: 422 });
      const drifted = [...planted];
      const drift = withDrift(value, drifted);
      // The `data` of an envelope is the output of the method.
      const kept = planted.filter(
        ({ place }) => kindOf(row.result) === "plain" || !place.startsWith(" "),
      );
      faults.push(...leaksOf(prints, planted, shows), ...lossesOf(prints, kept, shows));
      if (service.name !== "ledger")
        faults.push(...leaksOf(await printsOfCommand(each, value), planted));
      faults.push(...leaksOf(failed, planted, shows));
      for (const validation of MODES)
        faults.push(...leaksOf(await printsOfCall(each, drift, { validation }), drifted, shows));
    }
    expect(faults).toEqual([]);
  });
});

describe.each([...eventTypes, NEW])("in %s", (type) => {
  test("nothing undeclared leaks from any place", async () => {
    const schema = eventSchema(type);
    const sample = type === NEW ? { ...sampleEvent("sim.activated"), type } : sampleEvent(type);
    const values = plantAll(schema, parseJson(stringifyJson(sample, { reveal: true })));
    expect(placesNotBuilt(placesOf(schema), values)).toEqual([]);
    const faults: string[] = [];
    for (const { value, planted } of values) {
      const prints = await printsOfEvent(value, "strict");
      expect(prints.get("errors")).toBeUndefined();
      faults.push(...leaksOf(prints, planted, METADATA));
      // Of these, a mirror keeps only what the contract declares, because it does not say where the hidden values are.
      if (Object.hasOwn(declaredInHidden, type)) prints.delete("mirror");
      faults.push(...lossesOf(prints, planted, METADATA));
      const drifted = [...planted];
      const drift = withDrift(value, drifted);
      for (const validation of MODES)
        faults.push(...leaksOf(await printsOfEvent(drift, validation), drifted, METADATA));
    }
    expect(faults).toEqual([]);
  });
});

test("in uplinks of the console, nothing undeclared leaks from any place", async () => {
  const values = plantAll(ConsoleUplink, consoleUplink());
  expect(placesNotBuilt(placesOf(ConsoleUplink), values)).toEqual([]);
  for (const { value, planted } of values) {
    const prints = await printsOfUplink(value);
    expect([...leaksOf(prints, planted), ...lossesOf(prints, planted)]).toEqual([]);
  }
});

test("the ledger is public: nothing in its results is hidden", async () => {
  const each = rows.find(({ call }) => call === "accounts.get")!;
  const { data } = each.row.sample.output as { data: object };
  const more = { owner_signature: "s1", master_key: "k1", price_oracle_public_keys: ["k2", "k3"] };
  const sent = { ...data, ...more, more };
  const prints = await printsOfCall(each, { data: sent }, { validation: "strict" });
  expect(JSON.parse(prints.get("JSON") ?? "")).toEqual({ output: sent });
  expect(prints.get("inspect")).toContain("master_key: 'k1'");
});

test("all printers and stores were read, and all that was planted is hidden", () => {
  const { places, printers, planted, hidden } = tally;
  const stores = [...printers].filter((printer) => STORES.has(printer)).length;
  process.stdout.write(
    `${places} places, ${printers.size - stores} printers, ${stores} stores: planted ${planted} = hidden ${hidden}\n`,
  );
  expect([...printers, REVEALED].toSorted()).toEqual(Object.keys(HIDES).toSorted());
  expect(planted).toBeGreaterThan(100_000);
  expect(hidden).toBe(planted);
});

function placesNotBuilt(
  places: readonly string[],
  values: readonly { readonly planted: readonly Planted[] }[],
): string[] {
  tally.places += places.length;
  const built = new Set<string>(values.flatMap(({ planted }) => planted.map(({ place }) => place)));
  return places.filter((place) => !built.has(place));
}

/** Returns which values a printer or a store shows and should hide. */
function leaksOf(prints: Prints, planted: readonly Planted[], shows = NOTHING): string[] {
  return [...prints].flatMap(([printer, text]) => {
    const shown = new Set(text.match(CANARY));
    const secrets = planted.filter((each) => isHidden(printer, each, shows));
    const leaked = secrets.filter(({ canary }) => shown.has(canary));
    if (printer !== REVEALED) tally.printers.add(printer);
    tally.planted += secrets.length;
    tally.hidden += secrets.length - leaked.length;
    return leaked.map(
      ({ place, kind, canary }) => `${printer} shows ${kind} ${canary} of ${place}`,
    );
  });
}

/** Returns which values a result, or what runs an event again, lacks and should keep. */
function lossesOf(prints: Prints, planted: readonly Planted[], shows = NOTHING): string[] {
  return [...prints].flatMap(([printer, text]) => {
    const shown = new Set(text.match(CANARY));
    return planted
      .filter((each) => isKept(printer, each) && !isHidden(printer, each, shows))
      .filter(({ canary }) => !shown.has(canary))
      .map(({ place, kind, canary }) => `${printer} lacks ${kind} ${canary} of ${place}`);
  });
}

function isHidden(printer: string, { place, kind }: Planted, shows: Shows): boolean {
  if (RESULTS.has(printer) && shows(place)) return false;
  return HIDES[printer]!.includes(kind);
}

function isKept(printer: string, { place }: Planted): boolean {
  if (printer === "mirror") return place === ".data.object undeclared";
  return RESULTS.has(printer) || STORES.has(printer) || printer === REVEALED;
}
