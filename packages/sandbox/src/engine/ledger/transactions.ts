import type { Chain } from "./chain.ts";
import { mix } from "./texts.ts";

const NANOSECONDS_PER_SECOND = 1_000_000_000n;
const MOST_TRANSACTIONS = 1_000;
const WITNESSES = 4;
const CELL = "8c2681a3064d9ff";
const FEE = 35_000;
const BONES = 100_000_000;

/** The types, most of which a block has; the two that the spec shows come first. */
const TYPES = [
  "poc_request_v1",
  "poc_receipts_v1",
  "payment_v1",
  "payment_v2",
  "rewards_v1",
] as const;

/** A transaction of a block, as it is on the wire. */
export function transactionAt(chain: Chain, height: number, index: number) {
  const type = TYPES[mix(height, index) % TYPES.length] ?? "payment_v1";
  const common = {
    time: chain.timeOf(height),
    signature: chain.transactionHashes.of(mix(height, index, 1)),
    height,
    hash: chain.transactionHashes.of(height * MOST_TRANSACTIONS + index),
    fee: type.startsWith("payment") ? FEE : 0,
  };
  const gateway = (number: number): string => chain.gateways.of(mix(height, index, number) % BONES);
  const challenger = gateway(2);
  switch (type) {
    case "poc_request_v1":
      return {
        type,
        ...common,
        version: 10,
        secret_hash: chain.transactionHashes.of(mix(height, index, 3)),
        owner: chain.addresses.of(index),
        onion_key_hash: chain.transactionHashes.of(mix(height, index, 4)),
        location: CELL,
        lng: -122.41,
        lat: 37.77,
        challenger,
        block_hash: chain.block(height - 1).hash,
      };
    case "poc_receipts_v1":
      return {
        type,
        ...common,
        secret: chain.transactionHashes.of(mix(height, index, 5)),
        path: [pathEntry(chain, common.time, gateway)],
        onion_key_hash: chain.transactionHashes.of(mix(height, index, 4)),
        challenger_owner: chain.addresses.of(index),
        challenger_loc: CELL,
        challenger,
      };
    default:
      return {
        type,
        ...common,
        payer: chain.addresses.of(mix(height, index, 6) % MOST_TRANSACTIONS),
        payee: chain.addresses.of(mix(height, index, 7) % MOST_TRANSACTIONS),
        amount: mix(height, index, 8),
      };
  }
}

/** Where receipt and witnesses are: their nanoseconds are beyond 2^53, and odd, so that rounding shows. */
function pathEntry(chain: Chain, time: number, gateway: (number: number) => string) {
  const nanoseconds = BigInt(time) * NANOSECONDS_PER_SECOND + 123_456_789n;
  return {
    challengee: gateway(10),
    receipt: {
      timestamp: nanoseconds,
      signature: chain.transactionHashes.of(time),
      signal: -92,
      origin: "p2p",
      gateway: gateway(10),
      data: "AQID",
    },
    witnesses: Array.from({ length: WITNESSES }, (_, at) => ({
      timestamp: nanoseconds + BigInt(at),
      snr: 7.5 - at,
      signal: -100 - at,
      packet_hash: "6mZ2qW",
      owner: chain.addresses.of(at),
      location: CELL,
      gateway: gateway(11 + at),
      is_valid: at !== 1,
      ...(at === 1 && { invalid_reason: "witness_too_close" }),
      frequency: 904.7,
      channel: at,
      datarate: at === 2 ? [83, 70, 57] : "SF9BW125",
    })),
  };
}
