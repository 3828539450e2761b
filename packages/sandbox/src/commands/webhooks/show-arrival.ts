import { redactEvent } from "@fieldmesh/webhook-types/parse";
import type { CommandOutput } from "../command.ts";
import type { Arrival } from "./delivery-server.ts";
import { printable } from "./describe-delivery.ts";
import type { Secret } from "@fieldmesh/core";
import { createVerifier, type Verifier, type VerifierOptions } from "@fieldmesh/webhook-types";
import { UsageError } from "../command-error.ts";

const REJECTED: Readonly<Record<string, string>> = {
  too_large: "the body is larger than 1 MiB",
  too_slow: "the body did not arrive within 30 s",
  broken_off: "the body broke off",
  not_an_event: "verified, but not an event",
};

/** Prints the result of a delivery, and only the parts of its event that may be logged. */
export async function showArrival(output: CommandOutput, arrival: Arrival): Promise<void> {
  const { at, status, took, event, rejected, more } = arrival;
  // JSON leaves out what is undefined.
  const shown = event && redactEvent(event);
  if (output.isJson) return output.records([{ at, status, took, rejected, more, event: shown }]);
  const what =
    event === undefined
      ? (REJECTED[String(rejected)] ?? `not verified: ${rejected}`)
      : `${event.type}  ${event.id}`;
  const line = `${at}  ${what}  responded ${status}  ${took} ms`;
  await output.line(printable(more === undefined ? line : `${line}  ${more}`));
}

/** Creates a verifier. Throws a UsageError for an invalid secret. */
export function verifierOf(secret: Secret, options: VerifierOptions = {}): Verifier {
  try {
    return createVerifier({ ...options, secret });
  } catch (error) {
    throw new UsageError(`The signing ${(error as Error).message}`);
  }
}
