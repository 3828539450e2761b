import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox";
import { parquetMetadataAsync, parquetSchema, asyncBufferFromFile } from "hyparquet";
import { readParquet } from "parquet-wasm/node";
import { afterAll, expect, test } from "vitest";
import { exportOf } from "../../src/ledger/export-list.ts";
import { runCommand, testContext } from "../context.ts";
import { readBack, type Row } from "./read-back.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

const folder = temporaryFolder(afterAll);

const times = { minTime: "2026-11-19T08:00:00Z", maxTime: "2026-11-20T08:00:00Z" };
const EXACT = [9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n), 7];
const BEYOND = [2n ** 63n, -(2n ** 63n) - 1n, 123_456_789_012_345_678_901_234_567_890n];

/** Creates a sandbox whose records are changed by a function. */
function change(how: (record: Row, index: number) => Row): Sandbox {
  const sandbox = createSandbox();
  let index = 0;
  const fetch: Sandbox["ledger"]["fetch"] = async (...request) => {
    const response = await sandbox.ledger.fetch(...request);
    const body = parseJson(await response.text()) as { data: Row | Row[] };
    const data = Array.isArray(body.data) ? body.data.map((each) => how(each, index++)) : body.data;
    return new Response(stringifyJson({ ...body, data }), response);
  };
  return { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
}

const address = createSandbox().ledger.state.chain.addresses.of(1);

async function exportTo(name: string, sandbox: Sandbox, account = address) {
  const out = join(folder, name);
  const context = testContext({ sandbox });
  await runCommand(exportOf("rewards").run, context, { out, ...times }, account);
  return { out, context };
}

/** Returns the records that one lane of the client reads. */
async function readRewards({ ledger }: Sandbox): Promise<Row[]> {
  const { baseUrl, fetch } = ledger;
  const client = createLedgerClient({ baseUrl, fetch });
  const { minTime: min_time, maxTime: max_time } = times;
  const rewards = client.accounts.rewards({ address, min_time, max_time });
  return (await rewards.toArray({ limit: Infinity })).map((reward) => ({ ...reward, type: null }));
}

const withAmounts = (amounts: readonly unknown[]) =>
  change((reward, index) => ({ ...reward, amount: amounts[index % amounts.length] }));
/** Converts each integer to the type that SQLite and Parquet return. */
const bigIntegers = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "number" ? BigInt(value) : value,
    ]),
  );
const digits = (row: Row): Row => ({ ...row, amount: String(row["amount"]) });
const allDigits = (row: Row): Row => ({ ...digits(row), block: String(row["block"]) });
const asJson = (row: Row): Row => parseJson(stringifyJson({ ...row, type: undefined })) as Row;

test.each([
  ["ndjson", asJson, asJson],
  ["csv", allDigits, allDigits],
  ["sqlite", bigIntegers, (row: Row) => digits(bigIntegers(row))],
  ["parquet", bigIntegers, (row: Row) => digits(bigIntegers(row))],
] as const)(
  "%s returns every reward with exact integers, within 64 bits and beyond",
  async (format, within, beyond) => {
    const read = readBack[format] as (file: string) => Promise<Row[]>;
    for (const [name, amounts, expected] of [
      ["within", EXACT, within],
      ["beyond", [...EXACT, ...BEYOND], beyond],
    ] as const) {
      const { out } = await exportTo(`${name}.${format}`, withAmounts(amounts));
      const rewards = await readRewards(withAmounts(amounts));
      expect(rewards.length).toBe(432);
      expect(await read(out)).toEqual(rewards.map(expected));
    }
  },
);

test("integers have 64 bits in SQLite and Parquet, and are strings of digits if one is longer", async () => {
  const typesOf = async (name: string) => {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(folder, `${name}.sqlite`));
    const column = database.prepare("SELECT DISTINCT typeof(amount) AS type FROM rewards").all();
    database.close();
    const file = await asyncBufferFromFile(join(folder, `${name}.parquet`));
    const { children } = parquetSchema(await parquetMetadataAsync(file));
    const amount = children.find(({ element }) => element.name === "amount")?.element;
    return [column[0]?.["type"], column.length, amount?.type, amount?.converted_type];
  };
  for (const format of ["sqlite", "parquet"]) {
    await exportTo(`types-within.${format}`, withAmounts(EXACT));
    await exportTo(`types-beyond.${format}`, withAmounts(BEYOND));
  }
  expect(await typesOf("types-within")).toEqual(["integer", 1, "INT64", undefined]);
  expect(await typesOf("types-beyond")).toEqual(["text", 1, "BYTE_ARRAY", "UTF8"]);
});

test("another reader of Parquet accepts the file, with rows and without", async () => {
  const nobody = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
  const rowsOf = async (name: string, account?: string): Promise<number> => {
    const { out } = await exportTo(name, withAmounts(EXACT), account);
    const batches = readParquet(readFileSync(out)).recordBatches();
    return batches.reduce((sum, { numRows }) => sum + numRows, 0);
  };
  expect(await rowsOf("other.parquet")).toBe(432);
  expect(await rowsOf("empty.parquet", nobody)).toBe(0);
});

test("a string that a spreadsheet would evaluate is not a formula in CSV, and numbers remain numbers", async () => {
  const starts = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "plain", "", null];
  const sandbox = change((reward, index) => ({
    ...reward,
    type: starts[index % starts.length],
    lng: -122.41,
    amount: -5,
  }));
  const { out } = await exportTo("formulas.csv", sandbox);
  const rows = await (readBack["csv"] as (file: string) => Promise<Row[]>)(out);
  expect(rows.slice(0, starts.length).map(({ type }) => type)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\tx",
    "'\rx",
    "plain",
    "",
    null,
  ]);
  expect(rows[0]).toMatchObject({ lng: "-122.41", amount: "-5" });
});

test("fields of a single record, nested values and unusual strings are read back unchanged", async () => {
  const odd = {
    constructor: "own",
    'a "quoted", name': true,
    nested: { deep: [2n ** 64n, null] },
    text: 'line\u2028 "two"\r\n; three, é🚀',
    share: 0.25,
    mixed: "one",
  };
  const others = [{}, {}, {}, odd, { mixed: 2, share: 3 }];
  const asText = { ...odd, nested: '{"deep":[18446744073709551616,null]}' };
  const expected = {
    ndjson: [odd, { mixed: 2, share: 3 }],
    csv: [
      { ...asText, 'a "quoted", name': "true", share: "0.25" },
      { mixed: "2", share: "3", constructor: null },
    ],
    sqlite: [
      { ...asText, 'a "quoted", name': 1n },
      { mixed: "2", share: 3, constructor: null },
    ],
    parquet: [asText, { mixed: "2", share: 3, constructor: null }],
  };
  for (const [format, [third, fourth]] of Object.entries(expected)) {
    const sandbox = change((reward, index) => ({ ...reward, ...others[index] }));
    const { out } = await exportTo(`odd.${format}`, sandbox);
    const rows = await (readBack[format] as (file: string) => Promise<Row[]>)(out);
    expect(rows.length).toBe(432);
    expect(rows[3]).toMatchObject(third as object);
    expect(rows[4]).toMatchObject(fourth as object);
  }
});

test("an export hides nothing: the ledger is public, whatever its fields are named", async () => {
  const more = {
    owner_signature: "+AAA=",
    master_key: "=BBB",
    price_oracle_public_keys: ["k1", "k2"],
    app_key: "@C",
    url: "https://user:p@x.test/?token=t",
  };
  const sandbox = change((reward) => ({ ...reward, ...more }));
  const { out } = await exportTo("public.ndjson", sandbox);
  const lines = readFileSync(out, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject(more);
});
