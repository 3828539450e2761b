// Why it is so: docs/decisions/36-what-a-write-resolves-to.md
import { AbortError } from "../errors/abort-error.ts";
import { CallError, type CallContext } from "../errors/call-error.ts";
import { isApiError } from "../errors/is-api-error.ts";
import { ResponseValidationError } from "../errors/response-validation-error.ts";
import type { CallOptions } from "../options/call-options.ts";
import { nameOfCall, type BoundRow } from "../request/request.ts";
import { outputOf, resultOf, type CallResult } from "./with-response.ts";

/** How the client looks up what a call has created. */
export interface LookUp {
  readonly endpoint: Pick<BoundRow, "call" | "row">;
  readonly options: (CallOptions & { readonly schema?: unknown }) | undefined;
  /** Returns the record, or `undefined` if there is none. */
  readonly find: () => Promise<unknown>;
  /** What the user can call, such as "Call labels.find". */
  readonly advice: string;
}

/** Returns what a call has created. If its response is not the record, looks the record up once. */
export function orLookUp<Output>(call: Promise<Output>, lookUp: LookUp): Promise<Output> {
  // Rejects together with its result, which is awaited below.
  call.catch(() => undefined);
  return outputOf(recordOf(resultOf(call), lookUp)) as Promise<Output>;
}

async function recordOf(sent: Promise<CallResult>, lookUp: LookUp): Promise<CallResult> {
  const result = await sent;
  const { options, advice } = lookUp;
  // With a schema, the user says what the record is.
  if (result.output !== undefined || options?.schema !== undefined) return result;
  const { attempts, status, body } = result;
  const context: CallContext = { ...nameOfCall(lookUp.endpoint), outcome: "applied", attempts };
  const missing = (how: string): ResponseValidationError =>
    new ResponseValidationError(context, {
      status,
      problems: [{ path: "", message: `is not the record, and ${how}` }],
      body,
      advice: `The call was carried out. ${advice}`,
    });
  let output: unknown;
  try {
    output = await lookUp.find();
  } catch (error) {
    if (options?.signal?.aborted === true) throw new AbortError(context, options.signal.reason);
    if (!(error instanceof CallError)) throw error;
    const why = isApiError(error) ? error.status : error.name;
    throw missing(`${error.call}, which looks it up, failed with ${why}`);
  }
  if (output === undefined) throw missing("a lookup did not find it");
  return { ...result, output };
}
