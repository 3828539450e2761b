import { describeValue, isRecord } from "@fieldmesh/core";

/** The name of a class, and not a sentence. */
const NAME = /^[A-Za-z_$][\w$.]{0,63}$/;
/** Such as ECONNREFUSED, P2002, or an SQLSTATE. Too narrow for a phone number, an address or a code of a person. */
const CODE = /^(?:[A-Z][A-Z0-9_]{1,39}|[0-9A-Z]{5})$/;
const MOST = 5;

/** Names what handlers threw, such as `TypeError, DatabaseError 23505`. No message, because it may quote the payload. */
export function describeErrors(error: unknown): string {
  try {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    return [...new Set(errors.map(describeOne))].slice(0, MOST).join(", ");
  } catch {
    // An AggregateError whose list is none, or a proxy.
    return describeValue(error);
  }
}

function describeOne(error: unknown): string {
  try {
    return describeError(error);
  } catch {
    // A getter or a proxy throws.
    return describeValue(error);
  }
}

function describeError(error: unknown): string {
  if (!isRecord(error)) return describeValue(error);
  const { name, code } = error;
  const shown = typeof name === "string" && NAME.test(name) ? name : describeValue(error);
  return typeof code === "string" && CODE.test(code) ? `${shown} ${code}` : shown;
}
