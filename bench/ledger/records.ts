import { createSandbox } from "@fieldmesh/sandbox";
import { stringifyJson } from "@fieldmesh/core";

const ROWS_A_PAGE = 100;
/** So many make a page of poc_receipts about as large as real ones. */
const WITNESSES = 12;

/** A page of block descriptors, as JSON. */
export async function blockRows(): Promise<string> {
  const { state } = createSandbox().ledger;
  return stringifyJson(
    Array.from({ length: ROWS_A_PAGE }, (_, at) => state.chain.block(900_000 - at)),
  );
}

/** A page of poc_receipts transactions, as JSON; `exact` leaves their nanoseconds beyond 2^53. */
export function receiptRows({ nanoseconds }: { nanoseconds: boolean }): string {
  const text = (length: number, number: number): string =>
    `${number}`.padStart(8, "x").repeat(length).slice(0, length);
  const stamp = (at: number): string =>
    nanoseconds ? `${1_763_625_600_123_456_789n + BigInt(at)}` : `${1_763_625_600_123 + at}`;
  const witness = (at: number): string =>
    `{"timestamp":${stamp(at)},"snr":-7.5,"signal":-101,"packet_hash":"${text(43, at)}","owner":"${text(51, at)}",` +
    `"location":"8c2681a3064d9ff","is_valid":true,"gateway":"${text(51, at)}","frequency":904.7,"datarate":"SF9BW125","channel":3}`;
  const row = (at: number): string =>
    `{"type":"poc_receipts_v1","time":1763625600,"signature":"${text(88, at)}","height":${900_000 + at},"hash":"${text(43, at)}","fee":0,` +
    `"secret":"${text(43, at)}","onion_key_hash":"${text(43, at)}","challenger_owner":"${text(51, at)}","challenger_loc":"8c2681a3064d9ff",` +
    `"challenger":"${text(51, at)}","path":[{"challengee":"${text(51, at)}","receipt":{"timestamp":${stamp(at)},"signature":"${text(88, at)}",` +
    `"signal":0,"origin":"p2p","gateway":"${text(51, at)}","data":"AQIDBA=="},` +
    `"witnesses":[${Array.from({ length: WITNESSES }, (_, each) => witness(at + each)).join()}]}]}`;
  return `[${Array.from({ length: ROWS_A_PAGE }, (_, at) => row(at)).join()}]`;
}
