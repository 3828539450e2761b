import { describeValue, isRecord, memberOf } from "@fieldmesh/core/internal";

/** The name of a class, and not a sentence. */
const NAME = /^[A-Za-z_$][\w$.]{0,63}$/;
/** A code such as ECONNREFUSED, P2002, or an SQLSTATE. Too narrow for a phone number, an address or a person's code. */
const CODE = /^(?:[A-Z][A-Z0-9_]{1,39}|[0-9A-Z]{5})$/;
const MOST = 5;

/** Names the errors of handlers, such as `TypeError, DatabaseError 23505`. Without messages, which may quote the payload. */
export function describeErrors(error: unknown): string {
  try {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    return [...new Set(errors.map(describeOne))].slice(0, MOST).join(", ");
  } catch {
    // An AggregateError with an invalid list, or a proxy.
    return describeValue(error);
  }
}

function describeOne(error: unknown): string {
  if (!isRecord(error)) return describeValue(error);
  const [name, code] = [memberOf(error, "name"), memberOf(error, "code")];
  const shown = typeof name === "string" && NAME.test(name) ? name : describeValue(error);
  return typeof code === "string" && CODE.test(code) ? `${shown} ${code}` : shown;
}
