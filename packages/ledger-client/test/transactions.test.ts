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

test.each([5, null, undefined])("a transaction whose type is %j is reported", async (type) => {
  expect((await read({ ...other, type }))[1]).toEqual(["type"]);
});
