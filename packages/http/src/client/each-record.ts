// A part of its own, `./internal/each`, because few programs read a list record by record.
import { monotonicClock } from "@fieldmesh/core/internal";
import { countRecords } from "@fieldmesh/core/internal/schema";
import type * as z from "@fieldmesh/core/internal/zod";
import type { CallOptions } from "../options/call-options.ts";
import { encodeRequest, type BoundRow } from "../request/request.ts";
import { secretCheckOf } from "../request/secrets.ts";
import { decodeRecord, decodeResponse, unreadableRecord } from "../response/decode.ts";
import type { ResponseToDecode } from "../response/response-to-decode.ts";
import { runAttempts, type Sent } from "../send/attempts.ts";
import { AttemptFailed, nameOf } from "../send/failure.ts";
import { failureToError } from "../send/failure-to-error.ts";
import { tellEnd, tellFailure, traceCall } from "../send/observe.ts";
import { type PreparedCall, prepareCall } from "../send/prepared-call.ts";
import { createWait, readRecords, sendList } from "../send/send-list.ts";
import { createDeadline } from "../wire/deadline.ts";
import type { Wait } from "../wire/open-list.ts";
import { ownOptions, type Transport } from "./transport.ts";

/** Options of a call that reads a list record by record. */
export interface EachOptions extends CallOptions {
  /** Milliseconds until the first record, and then between two parts of the list. Overrides the option of the client. */
  timeout?: number | undefined;
  /**
   * Milliseconds for all waits together: for the first record, with retries, and then for the parts of the list. The time that
   * your code needs for the records does not count. Overrides the option of the client.
   */
  totalTimeout?: number | undefined;
  /**
   * The largest record, in bytes after decompression, and the largest response that is not a list. The list may have any size.
   *
   * @default 1_048_576 - a record of the console has about 700 bytes (observed)
   */
  maxResponseBytes?: number | undefined;
}

/** A list that is read record by record. */
export interface RecordList {
  /** Its row, with the name of the method that reads it record by record. */
  readonly endpoint: Pick<BoundRow, "row" | "call">;
  /** The schema of one record. */
  readonly record: z.core.$ZodType;
}

const MAX_RECORD_BYTES = 1024 * 1024;

/** Reads a list record by record while it arrives. Sends a request of its own, for its first record. */
export async function* eachRecord<T>(
  { connection }: Transport,
  { endpoint, record }: RecordList,
  options: EachOptions,
): AsyncGenerator<T, void, undefined> {
  const bound: BoundRow = { ...endpoint, reserved: new Map() };
  const id = crypto.randomUUID();
  const { base, settings } = connection;
  const { maxResponseBytes = MAX_RECORD_BYTES, ...others } = ownOptions(bound, options);
  const own = { ...others, maxResponseBytes };
  const request = encodeRequest(bound, base, undefined, settings);
  let opened: OpenCall | undefined;
  try {
    opened = await traceCall({ id, endpoint: bound, request, base }, () =>
      openCall(prepareCall(connection, { id, endpoint: bound, request, send: sendList }, own)),
    );
    const { call, sent, wait } = opened;
    const received = receivedOf(call, sent);
    if (sent.response.list === undefined) {
      yield (await decodeResponse(received)).output as T;
      return;
    }
    const oneRow = { ...bound, row: { ...bound.row, result: record } };
    for (;;) {
      const texts = await readRecords(call, sent.response, wait);
      if (texts === undefined) break;
      void countRecords(texts.length);
      for (const text of texts) {
        if (own.signal?.aborted === true) throw new AttemptFailed({ kind: "aborted" });
        const response = { ...sent.response, body: text };
        yield decodeRecord({ ...received, endpoint: oneRow, response, index: opened.count }) as T;
        opened.count++;
      }
    }
    const { problem } = sent.response.list;
    if (problem === undefined) return;
    throw unreadableRecord({ ...received, index: opened.count }, problem);
  } catch (error) {
    const failure = opened === undefined ? error : lateFailure(opened, error);
    tellEnd(settings, id, failure);
    throw failure;
  } finally {
    opened?.close();
  }
}

/** A list of which the first record has arrived. */
interface OpenCall {
  readonly call: PreparedCall;
  readonly sent: Sent;
  readonly status: number;
  readonly attempts: Sent["attempts"];
  readonly wait: Wait;
  /** The number of records that the caller has received. */
  count: number;
  /** When the successful attempt began, in the time of the monotonic clock. */
  readonly sentAt: number;
  readonly close: () => void;
}

async function openCall(call: PreparedCall): Promise<OpenCall> {
  const { settings, signal } = call;
  const deadline = createDeadline(settings.totalTimeout, signal);
  try {
    const sent = await runAttempts(call, deadline);
    const { attempts, response } = sent;
    const wait = createWait(call, deadline.timeLeft());
    // Also while the caller works on a record.
    const abort = (): void => response.list?.close();
    signal?.addEventListener("abort", abort);
    const close = (): void => {
      signal?.removeEventListener("abort", abort);
      abort();
    };
    const sentAt = monotonicClock.now() - (attempts.at(-1)?.duration ?? 0);
    return { call, sent, status: response.status, attempts, wait, count: 0, sentAt, close };
  } finally {
    deadline.close();
  }
}

/** Creates the error of a list that broke off after its first records. A list has no cursor, so nothing is resumed. */
function lateFailure({ call, attempts, count, sentAt }: OpenCall, error: unknown): unknown {
  if (!(error instanceof AttemptFailed)) return error;
  const { failure } = error;
  const { length } = attempts;
  const all = attempts.map((each) =>
    each.number === length ? { ...each, failure: nameOf(failure), reason: WHY_ENDED } : each,
  );
  tellFailure(call, length, monotonicClock.now() - sentAt, failure);
  const past = { attempts: all, failures: [failure], rejectedKey: undefined, recordsRead: count };
  return failureToError(call, past, error);
}

const WHY_ENDED = "records of the list were returned already, and a list has no cursor";

function receivedOf(call: PreparedCall, { response, value, attempts }: Sent): ResponseToDecode {
  const { endpoint, settings } = call;
  const { hides } = call.service;
  const holdsSecret = secretCheckOf(call);
  const sent = { endpoint, response, value, attempts };
  return { ...sent, settings, schema: undefined, hides, holdsSecret };
}
