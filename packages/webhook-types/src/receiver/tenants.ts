import { describeValue, hasMethod, isRecord, isSecret, mistake } from "@fieldmesh/core/internal";
import type { RawMessage } from "../adapters/raw-message.ts";
import {
  askingVerifier,
  verifierOf,
  type SecretsGiven,
  type Verifier,
  type VerifierOptions,
} from "../verify/create-verifier.ts";
import { readHeader } from "../verify/headers.ts";

/** The secrets of many tenants whose deliveries arrive at one receiver. */
export interface TenantSecrets {
  /**
   * Returns the tenant of a delivery, by what is known before its signature is verified: 1 to 200 characters. It must not wait.
   * `undefined` rejects the delivery with 401, and asks for no secret.
   */
  readonly tenantOf: (request: TenantRequest) => string | undefined;
  /**
   * Returns the secret of a tenant, or several during a rotation, or `undefined` if there is no such tenant. It is called like a
   * function `secret`, for each tenant by itself: before its first delivery, and again after one that no known secret signed, at
   * most every ten seconds. A call that takes longer than ten seconds counts as failed. The secrets of the 10,000 tenants that
   * were used last are kept.
   */
  readonly secretsOf: (
    tenant: string,
  ) => SecretsGiven | undefined | Promise<SecretsGiven | undefined>;
}

/** What `tenantOf` sees of a delivery. A `Request` has the same members. */
export interface TenantRequest {
  readonly method: string;
  /** The path and the query, such as `/hooks/acme?x=1`. Empty if the adapter does not pass them. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

const MOST_TENANTS = 10_000;
const LONGEST_TENANT = 200;

/** Whether `secret` is an object for many tenants. Throws a TypeError if it lacks a function. */
export function isTenantSecrets(secret: unknown): secret is TenantSecrets {
  if (!isRecord(secret) || isSecret(secret)) return false;
  if (hasMethod(secret, "tenantOf") && hasMethod(secret, "secretsOf")) return true;
  throw mistake(
    "secret must be a string, a Secret, a function, or { tenantOf, secretsOf } with two functions.",
  );
}

/** Returns a function that finds the verifier of a delivery. It returns `undefined` for a delivery without a tenant. */
export function createTenantVerifiers(
  { tenantOf, secretsOf }: TenantSecrets,
  options: Omit<VerifierOptions, "secret" | "secrets">,
): (message: RawMessage) => { tenant: string; verify: Verifier } | undefined {
  // Checks the options before the first delivery.
  verifierOf(options, []);
  // In the order in which they were used.
  const verifiers = new Map<string, Verifier>();

  return (message) => {
    const tenant = readTenant(tenantOf(requestOf(message)));
    if (tenant === undefined) return undefined;
    const verify =
      verifiers.get(tenant) ??
      askingVerifier(options, () => secretsOf(tenant), { mayBeNone: true });
    verifiers.delete(tenant);
    verifiers.set(tenant, verify);
    for (const oldest of verifiers.keys()) {
      if (verifiers.size <= MOST_TENANTS) break;
      verifiers.delete(oldest);
    }
    return { tenant, verify };
  };
}

/** Anyone can send a URL with any name. */
function readTenant(tenant: unknown): string | undefined {
  if (tenant === undefined) return undefined;
  if (typeof tenant !== "string")
    throw mistake(
      `tenantOf must return a string, or undefined, and not a promise. It returned ${describeValue(tenant)}.`,
    );
  const isName = tenant !== "" && tenant.length <= LONGEST_TENANT && tenant.isWellFormed();
  return isName ? tenant : undefined;
}

function requestOf({ method = "", url = "", headers }: RawMessage): TenantRequest {
  const get = (name: string): string | null => readHeader(headers, name.toLowerCase()) ?? null;
  return { method, url: pathOf(url), headers: { get } };
}

/** A Request has a whole URL, and Node the path. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
