import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../../tools/packages.ts";
import { shownRecords } from "./field-marks.ts";
import { type FieldNotes, readNoteTexts } from "./read-spec.ts";
import { consoleStatements } from "./statements/console.ts";
import { ledgerStatements } from "./statements/ledger.ts";

// What is marked as observed rests on a field note.

const file = readFileSync(join(root, "tools/testing/field-notes.json"), "utf8");
const notes = new Set(Object.values(JSON.parse(file) as FieldNotes).flatMap(Object.keys));

/** The note, by its first words, of a statement of the sandbox, or of a field that its note does not name. */
const noteOf: Readonly<Record<string, string>> = {
  "a lookup by dev_eui is a list of the devices that match": "Console, list of devices with some …",
  "no device matches": "Console, list of devices with some …",
  "app_eui alone is the whole list": "Console, list of devices with some …",
  "a request without a key is forbidden": "Console, its own source: no `key` …",
  "a wrong key is not authorized": "Four error shapes: `{errors:{error:[…]}}` (400, 403, …",
  "a label name is taken": "Console, its own source: no `key` …",
  "an unknown route is a 404 in JSON": "Ledger, unknown route: 404 with JSON …",
  "a time that cannot be read is a 404 here":
    "Time grammar: `now`, `-N week|day|hour` (singular, …",
  "a hosted deployment has request_block_hash in the receipts of a challenge":
    "Ledger, unknown route: 404 with JSON …",
  "console-client category":
    "Event categories: uplink, uplink_dropped, downlink, downlink_dropped, …",
  "console-client spreading": "Event `data.hotspot` may be `{}` or …",
  "console-client sub_category":
    "Event categories: uplink, uplink_dropped, downlink, downlink_dropped, …",
  "mapper-client deviceName": "The network-server form (ChirpStack v4) is …",
  "mapper-client fPort": "The network-server form (ChirpStack v4) is …",
  "mapper-client gatewayId": "The network-server form (ChirpStack v4) is …",
  "mapper-client longitude": "Coordinates must be numbers (decoders that …",
  "webhook-types status_reason_code": "Port status reason codes seen: wrong_account_number, …",
  "webhook-types subscription_status": "Statuses are spelt both `canceled` and …",
};

/** Fields whose mark names its note. */
const hasNote = new Set(
  Object.values(shownRecords)
    .flat()
    .flatMap((record) => Object.entries(record.fields))
    .flatMap(([field, { seen }]) => (seen === undefined ? [] : [field])),
);

const fields = globSync("packages/{*-client,webhook-types}/src/**/*.ts", { cwd: root })
  .filter((path) => !/generated|\.test\./.test(path))
  .flatMap((path) => {
    const source = readFileSync(join(root, path), "utf8");
    // A field of a record: a name and a schema.
    const marked = source.matchAll(
      /\/\*\*((?:(?!\*\/)[^])*\(observed\)(?:(?!\*\/)[^])*)\*\/\s*(\w+)(?:: (?!endpoint)[\w.]+[,(]|,$)/gm,
    );
    return [...marked].map(([, comment = "", field = ""]) => ({
      field,
      comment,
      key: `${path.split("/")[1]} ${field}`,
    }));
  });

test("each observed statement of the sandbox names its field note", () => {
  const said = [...consoleStatements, ...ledgerStatements].flatMap(({ says }) => {
    const [, observed] = says.split("(observed) ");
    return observed === undefined ? [] : [observed];
  });
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((each) => !notes.has(noteOf[each] ?? ""))).toEqual([]);
});

test("each observed field is in a field note, if the notes are beside the checkout", ({ skip }) => {
  const texts = readNoteTexts();
  skip(texts.length === 0, "The field notes are not beside this checkout.");
  const missing = fields.filter(
    ({ field, key }) =>
      !notes.has(noteOf[key] ?? "") &&
      !hasNote.has(field) &&
      !texts.some((text) => new RegExp(`\\b${field}\\b`, "i").test(text)),
  );
  expect(missing.map(({ key, comment }) => `${key}: ${comment.trim()}`)).toEqual([]);
  process.stdout.write(`${fields.length} observed fields, ${notes.size} field notes.\n`);
});
