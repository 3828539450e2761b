import { expect, test } from "vitest";
import { readDocument } from "../../tools/documents.ts";
import { MARK } from "./observed-rules.ts";
import type { Json } from "./shapes.ts";

// The contract has no note for most fields. A doc comment of such a field repeats its name, or marks what it adds.

const words = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** Words that assert nothing of a field: of grammar, of types, and of our client. */
const PLAIN = words(`
  a an and any are as be by each if in is it may no not of or that the their them they this to what where which whether with without
  array boolean codes digits hexadecimal id ids integer list map name names null number object string strings type uuid uuids absent
  always attached attach added add another belongs can client data device devices does field fields have has hold input linked match
  organization parseutc read record requires returns secret sent shown shows so token value values zone utc your only we for there
  all appear belong connection date entries had latitude like location longitude new none ones types under whose again decoder identifies returned such
`);
/** Terms of LoRaWAN. */
const LORAWAN = words(
  "LoRaWAN adaptive rate ADR allowed channel CFList enabled receive delay EUI JoinEUI application address FPort frame counter",
);
/** Words of the contract's notes on the fields that have one. */
const STATED = words(`
  data credit credits balance used unique config profile labels label bulk create rejected reason wrong message console
  epoch milliseconds unix seconds MHz decimal degrees ISO hash block height highest now before empty bones fee amounts transactions
  hexagonal cell index full abbreviated city country state street production last hour day week month request integrations custom
  confirmation exactly connected flow integration function payload interpolation double curly placeholders spreading factor bandwidth
  prebuilt partner one four supports authorization key uplink depending policy hub access region headers receipt challenger path
  code transaction hotspot human readable description event kind shared position
`);
/** The contract shows no error. */
const OTHERS = /^ErrorBody$/;
/** Every field of such a record is observed. */
const ALL_OBSERVED = /\bfields\b[^.]*\(observed\)/;
const KNOWN = new Set([...PLAIN, ...LORAWAN, ...STATED]);

test.each(["console", "ledger", "mapper"])(
  "no doc comment of %s adds a meaning without a mark",
  (service) => {
    const { components } = readDocument(`openapi/${service}.json`);
    const { schemas } = components as { schemas: Readonly<Record<string, Json>> };
    const wrong = Object.entries(schemas).flatMap(([record, schema]) => {
      const isOther = OTHERS.test(record) || ALL_OBSERVED.test(String(schema["description"]));
      if (isOther) return [];
      return Object.entries((schema["properties"] ?? {}) as Record<string, Json>).flatMap(
        ([field, { description }]) => {
          const own = new Set([
            ...KNOWN,
            ...words(field),
            ...words(record.replaceAll(/[A-Z]/g, " $&")),
          ]);
          const added = sentencesOf(description)
            .flatMap(words)
            .filter((word) => !own.has(word));
          return added.length === 0 ? [] : [`${record}.${field}: ${added.join(", ")}`];
        },
      );
    });
    expect(wrong).toEqual([]);
  },
);

/** The sentences that say something of a field, and have no mark. */
function sentencesOf(description: unknown): string[] {
  if (typeof description !== "string") return [];
  const sentences = description.replaceAll(/`[^`]*`/g, "").split(/(?<=[.;])\s+/);
  return sentences.filter(
    (sentence) => !sentence.includes(MARK) && !/^(?:the|The) (?:published )?spec /.test(sentence),
  );
}
