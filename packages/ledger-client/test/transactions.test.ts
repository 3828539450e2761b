import { describe, expect, test } from "vitest";
import { isKnownTransaction, type Drift, type Transaction } from "../src/index.ts";
import { clientOf } from "./answering.ts";

type Fields = Record<string, unknown>;

const common: Fields = { hash: "h", height: 7, time: 1_763_625_600, signature: "s", fee: 35_000 };
const request: Fields = {
  type: "poc_request_v1",
  ...common,
  version: 1,
  secret_hash: "x",
  owner: "w",
  onion_key_hash: "o",
  location: "8c26",
  lng: 8.5,
  lat: 47.4,
  challenger: "c",
  block_hash: "b",
};
const receipt: Fields = {
  timestamp: 1_763_625_600,
  signature: "s",
  signal: -90,
  origin: "p2p",
  gateway: "g",
  data: "AQ",
};
const witness: Fields = {
  timestamp: 1_763_625_600,
  snr: -1.5,
  signal: -100.5,
  packet_hash: "p",
  owner: "w",
  location: "8c26",
  gateway: "g",
  is_valid: false,
  invalid_reason: "too_close",
  frequency: 868.1,
  channel: 3,
  datarate: "SF7BW125",
};
const receipts: Fields = {
  type: "poc_receipts_v1",
  ...common,
  secret: "x",
  path: [{ witnesses: [witness], receipt, challengee: "g" }],
  onion_key_hash: "o",
  challenger_owner: "w",
  challenger_loc: "8c26",
  challenger: "c",
};
const other: Fields = { type: "payment_v2", ...common };

const ofStep = (step: Fields): Fields => ({
  ...receipts,
  path: [{ witnesses: [witness], receipt, challengee: "g", ...step }],
});
const ofReceipt = (fields: Fields): Fields => ofStep({ receipt: { ...receipt, ...fields } });
const ofWitness = (fields: Fields): Fields => ofStep({ witnesses: [{ ...witness, ...fields }] });

/** Reads a transaction. Returns it, and the paths of its fields that are reported. */
async function read(transaction: Fields): Promise<[Transaction | undefined, string[]]> {
  const paths: string[] = [];
  const onDrift = ({ problems }: Drift): void =>
    void paths.push(...problems.map(({ path }) => path.replace("data[0].", "")));
  const { client } = clientOf({ data: [transaction] }, {}, { onDrift, validation: "warn" });
  const [found] = await client.blocks.transactions({ height: 7 }).toArray({ limit: 1 });
  return [found, paths];
}

test.each<[string, Fields, object]>([
  ["a request", request, { ...request, fee: 35_000n }],
  [
    "receipts",
    receipts,
    {
      ...receipts,
      fee: 35_000n,
      path: [
        {
          witnesses: [{ ...witness, timestamp: 1_763_625_600n }],
          receipt: { ...receipt, timestamp: 1_763_625_600n },
          challengee: "g",
        },
      ],
    },
  ],
  ["another type", other, { ...other, fee: 35_000n }],
])("%s with each documented field is read without a report", async (_, transaction, expected) => {
  expect(await read(transaction)).toEqual([expected, []]);
});

test.each([
  [request, true],
  [receipts, true],
  [other, false],
  [{ ...other, type: "poc_receipts_v2" }, false],
  [{ ...other, type: "" }, false],
])(
  "isKnownTransaction is true for the two documented types: $type",
  async (transaction, isKnown) => {
    const [found] = await read(transaction);
    expect(isKnownTransaction(found!)).toBe(isKnown);
  },
);

describe("the data rate of a witness", () => {
  test.each([["SF7BW125"], [""], [[83, 70, 55]], [[]], [null], [undefined]])(
    "may be a string, character codes or an empty array: %j",
    async (datarate) => {
      const [found, paths] = await read(ofWitness({ datarate }));
      expect(paths).toEqual([]);
      expect(found).toMatchObject({ path: [{ witnesses: [{ gateway: "g" }] }] });
    },
  );

  test.each([[5], [{ sf: 9 }], [[1.5]], [["SF7"]], [true]])(
    "is reported if it is %j",
    async (datarate) => {
      const [found, [path = ""]] = await read(ofWitness({ datarate }));
      expect(path).toMatch(/^path\[0\]\.witnesses\[0\]\.datarate(\[0\])?$/);
      expect(found).toMatchObject({ path: [{ witnesses: [{ datarate }] }] });
    },
  );
});

describe("a field of another type is reported by name", () => {
  const commonMistakes: Fields = { height: "7", time: "now", signature: 5, fee: "free" };
  const changes: [string, Fields][] = [
    ...Object.entries({
      ...commonMistakes,
      hash: 5,
      version: "1",
      secret_hash: 5,
      owner: 5,
      onion_key_hash: null,
      location: 5,
      lng: "8.5",
      lat: "47.4",
      challenger: 5,
      block_hash: 5,
    }).map(([name, value]): [string, Fields] => [name, { ...request, [name]: value }]),
    ...Object.entries({
      ...commonMistakes,
      hash: null,
      secret: 5,
      path: {},
      onion_key_hash: 5,
      challenger_owner: 5,
      challenger_loc: 5,
      challenger: null,
    }).map(([name, value]): [string, Fields] => [name, { ...receipts, [name]: value }]),
    ...Object.entries({ witnesses: {}, receipt: 5, challengee: null }).map(
      ([name, value]): [string, Fields] => [`path[0].${name}`, ofStep({ [name]: value })],
    ),
    ...Object.entries({
      timestamp: "now",
      signature: 5,
      signal: 1.5,
      origin: 5,
      gateway: 5,
      data: 5,
    }).map(([name, value]): [string, Fields] => [
      `path[0].receipt.${name}`,
      ofReceipt({ [name]: value }),
    ]),
    ...Object.entries({
      timestamp: "now",
      snr: "1",
      signal: "1",
      packet_hash: 5,
      owner: 5,
      location: 5,
      gateway: 5,
      is_valid: "yes",
      invalid_reason: 5,
      frequency: "868",
      channel: 1.5,
    }).map(([name, value]): [string, Fields] => [
      `path[0].witnesses[0].${name}`,
      ofWitness({ [name]: value }),
    ]),
    ...Object.entries({ ...commonMistakes, hash: 5 }).map(([name, value]): [string, Fields] => [
      name,
      { ...other, [name]: value },
    ]),
  ];

  test.each(
    changes.map(([path, transaction]) => [String(transaction["type"]), path, transaction] as const),
  )("%s: %s", async (_, path, transaction) => {
    expect((await read(transaction))[1]).toEqual([path]);
  });

  test.each([5, null, undefined])("type: %j", async (type) => {
    expect((await read({ ...other, type }))[1]).toEqual(["type"]);
  });
});

test.each<[Fields, readonly string[]]>([
  [request, ["hash", "height", "time", "secret_hash", "onion_key_hash", "challenger"]],
  [receipts, ["hash", "height", "time", "path", "onion_key_hash", "challenger"]],
  [other, []],
])("only the required fields of $type are reported as missing", async ({ type }, required) => {
  expect((await read({ type }))[1]).toEqual(required);
});

test.each([request, receipts, other])(
  "each field of $type is reported if it is null",
  async (fields) => {
    const names = Object.keys(fields).filter((name) => name !== "type");
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const { type } = fields;
    expect((await read({ ...nulls, type }))[1].sort()).toEqual(names.sort());
  },
);
