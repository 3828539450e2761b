import type { Secret } from "@fieldmesh/core";
import { createVerifier, type Verifier, type VerifierOptions } from "@fieldmesh/webhook-types";
import { UsageError } from "../command-error.ts";

/** Creates a verifier. Throws a UsageError for an invalid secret. */
export function verifierOf(secret: Secret, options: VerifierOptions = {}): Verifier {
  try {
    return createVerifier({ ...options, secret });
  } catch (error) {
    throw new UsageError(`The signing ${(error as Error).message}`);
  }
}
