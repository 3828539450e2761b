import { describeValue, hasMethod, isRecord, isSecret, mistake } from "@fieldmesh/core/internal";
import type { RawMessage } from "../adapters/raw-message.ts";
import {
  askingVerifier,
  type InnerVerifier,
  verifierOf,
  type SecretsGiven,
  type VerifierOptions,
} from "../verify/create-verifier.ts";
import { BoundedMap } from "../stores/bounded-map.ts";
import { readHeader } from "../verify/message.ts";
import { describeErrors } from "./describe-errors.ts";

/** The secrets of many tenants whose deliveries arrive at one receiver. */
export interface TenantSecrets {
  /**
   * Returns the tenant of a delivery, by what is known before its signature is verified: 1 to 200 characters. It must not wait.
   * `undefined`, or an error that it throws, rejects the delivery with 401, and asks for no secret.
   */
  readonly tenantOf: (request: TenantRequest) => string | undefined;
  /**
   * Returns the secret of a tenant, or several during a rotation, or `undefined` or an empty list if there is no such tenant. It is called like a
   * function `secret`, for each tenant by itself: before its first delivery, and again after one that no known secret signed, at
   * most every ten seconds. A call that takes longer than ten seconds counts as failed, and is repeated after ten seconds at the
   * earliest. The secrets of the 10,000 tenants that were used last are kept. Of names without secrets, which anyone can invent,
   * at least the last 1,000 are remembered beside them.
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
/** Those that were invented, or whose secrets could not be read yet. At most twice as many are kept. */
const MOST_UNKNOWN = 1_000;
const LONGEST_TENANT = 200;

/** The verifier of a delivery. */
export interface TenantVerifier {
  readonly tenant: string | undefined;
  readonly verify: InnerVerifier;
}

/** Whether `secret` is an object for many tenants. Throws a TypeError if it lacks a function. */
export function isTenantSecrets(secret: unknown): secret is TenantSecrets {
  if (!isRecord(secret) || isSecret(secret)) return false;
  if (hasMethod(secret, "tenantOf") && hasMethod(secret, "secretsOf")) return true;
  throw mistake(
    "secret must be a string, a Secret, a function, or { tenantOf, secretsOf } with two functions.",
  );
}

/** Returns a function that finds the verifier of a delivery, or says why it has no tenant. */
export function createTenantVerifiers(
  { tenantOf, secretsOf }: TenantSecrets,
  options: Omit<VerifierOptions, "secret" | "secrets">,
): (message: RawMessage) => TenantVerifier | { readonly advice: string } {
  // Checks the options before the first delivery.
  verifierOf(options, []);
  // In the order in which they were used. Only a tenant that has secrets gets here, so that invented ones push none out.
  const known = new Map<string, InnerVerifier>();
  const unknown = new BoundedMap<InnerVerifier>(MOST_UNKNOWN);

  const keep = (tenant: string, verify: InnerVerifier): void => {
    known.delete(tenant);
    known.set(tenant, verify);
    const [oldest] = known.keys();
    if (known.size > MOST_TENANTS && oldest !== undefined) known.delete(oldest);
  };
  const create = (tenant: string): InnerVerifier => {
    const ask = () => secretsOf(tenant);
    const onSecrets = () => keep(tenant, verify);
    const verify = askingVerifier(options, ask, { onSecrets });
    unknown.set(tenant, verify);
    return verify;
  };

  return (message) => {
    let named: unknown;
    try {
      named = tenantOf(requestOf(message));
    } catch (error) {
      // Because of a URL or a header that it cannot read, and anyone can send one.
      return { advice: `tenantOf threw ${describeErrors(error)}: return undefined instead.` };
    }
    const tenant = readTenant(named);
    if (tenant === undefined) return { advice: NO_TENANT };
    const verify = known.get(tenant);
    if (verify === undefined) return { tenant, verify: unknown.get(tenant) ?? create(tenant) };
    keep(tenant, verify);
    return { tenant, verify };
  };
}

const NO_TENANT = "tenantOf returned no tenant for its method, URL and headers.";

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
