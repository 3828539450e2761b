import type { Deadline } from "../wire/deadline.ts";
import { checked } from "./key.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** Waits until the key of a call is known, so that its request is counted under its own credential. */
export async function knowKey({ key }: PreparedCall, deadline: Deadline): Promise<void> {
  if (key !== undefined && key.current() === undefined) await key.ask(deadline.signal());
}

/** Sets the key in the headers of a call, and returns it. Waits for it if another call has just had it rejected. */
export async function putKey(
  { credential, key, keys, headers }: PreparedCall,
  deadline: Deadline,
): Promise<string | undefined> {
  if (credential === undefined || key === undefined) return undefined;
  const value = key.current() ?? (await key.ask(deadline.signal()));
  checked(() => credential.check?.(value));
  keys.add(value);
  headers.set(credential.header, (credential.prefix ?? "") + value);
  return value;
}
