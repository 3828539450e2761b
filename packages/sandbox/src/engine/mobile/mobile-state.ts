import type { Budgets, KeyMode } from "./layers.ts";
import type { KeyRole } from "./roles.ts";

/** What differs between deployments of the mobile service, and what a test may ask for. */
export interface MobileOptions {
  /** Requests a minute for each key. @default 600 reads and 120 writes (observed) */
  budgets?: Partial<Budgets> | undefined;
  /** Events on a page of `/events`. @default 100 */
  pageSize?: number | undefined;
  /**
   * Whose keys see the personal data of a subscriber: it reads `null` for all others. That it depends on the role is in
   * the published spec, which role may see it is not.
   *
   * @default ["sk"]
   */
  personalDataFor?: readonly KeyRole[] | undefined;
  /**
   * Whether the operator has fraud screening switched on: then a signup and `POST /v1/fraud/decisions` emit
   * `fraud.evaluated`. The response has the decision either way.
   *
   * @default false
   */
  fraudScreening?: boolean | undefined;
}

/** A record with an id, which belongs to one environment. */
export interface MobileRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What the mobile service holds, by id. Tests may change it. */
export interface MobileState {
  readonly subscribers: Map<string, MobileRecord & { readonly livemode: boolean }>;
  readonly subscriptions: Map<string, MobileRecord & { readonly livemode: boolean }>;
  /** Keys and what they open. The role of a key is its prefix: `pk_`, `rk_` or `sk_`. */
  readonly keys: Map<string, KeyMode>;
}
