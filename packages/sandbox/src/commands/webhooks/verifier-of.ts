import type { Secret } from "@fieldmesh/core";
import { createVerifier, type Verifier, type VerifierOptions } from "@fieldmesh/webhook-types";
import { UsageError } from "../command-error.ts";

/** Creates a verifier; throws a UsageError for a secret that cannot be one. */
export function verifierOf(secret: Secret, options: VerifierOptions = {}): Verifier {
  try {
    return createVerifier({ ...options, secret });
  } catch (error) {
    throw new UsageError(`The signing ${(error as Error).message}`);
  }
}
