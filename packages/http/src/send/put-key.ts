import type { PreparedCall } from "./prepared-call.ts";
import { checked } from "./key.ts";

/** Sets the key in the headers of a call and returns it. Requests it first if it is not known. */
export async function putKey(call: PreparedCall, signal: AbortSignal): Promise<string | undefined> {
  return put(call, call.key?.current() ?? (await call.key?.ask(signal)));
}

/** Sets the key without waiting. Returns `undefined` if it is not known. */
export function putKnownKey(call: PreparedCall): string | undefined {
  return put(call, call.key?.current());
}

function put(
  { credential, headers, keys }: PreparedCall,
  key: string | undefined,
): string | undefined {
  if (credential === undefined || key === undefined) return undefined;
  checked(() => credential.check?.(key));
  keys.add(key);
  headers.set(credential.header, (credential.prefix ?? "") + key);
  return key;
}
