import { isIntact } from "./hash.ts";
import { FieldmeshError } from "./error.ts";

/** What a checkpoint belongs to. */
export interface CheckpointOwner {
  /** The method that wrote it, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server?: string;
  /** A hash of the organization of the API key. */
  readonly organization?: string;
  /** A hash of the path of a list. */
  readonly path?: string;
  /** The query of a list. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A schema of zod. This package does not import zod here. */
interface CheckpointSchema<T> {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: T | undefined };
}

/**
 * Returns a checkpoint that a caller passes. Throws a CheckpointError unless this version wrote it for the same owner, and it has
 * not changed since.
 */
export function readCheckpoint<T extends CheckpointOwner & { readonly checksum: string }>(
  schema: CheckpointSchema<T>,
  value: unknown,
  owner: CheckpointOwner,
): T {
  const checkpoint = parse(schema, value);
  if (checkpoint === undefined)
    throw rejectedCheckpoint("invalid", owner.call, NOT_OURS, AS_WRITTEN);
  if (!isIntact(checkpoint)) throw rejectedCheckpoint("damaged", owner.call, CHANGED, AS_WRITTEN);
  checkOwner(checkpoint, owner);
  return checkpoint;
}

const NOT_OURS = "is not a checkpoint that this version wrote";
const CHANGED = "was changed or damaged since it was written";
const AS_WRITTEN = "Pass the checkpoint as it was written";

function parse<T>(schema: CheckpointSchema<T>, value: unknown): T | undefined {
  try {
    return schema.safeParse(value).data;
  } catch {
    // A getter or a proxy in it throws.
    return undefined;
  }
}

/** Throws a CheckpointError if a checkpoint belongs to another owner. Compares the fields that `owner` has. */
export function checkOwner(checkpoint: CheckpointOwner, owner: CheckpointOwner): void {
  const { call, query = {} } = checkpoint;
  if (call !== owner.call) {
    const method = /^[\w.]+$/.test(call) ? call : "another method";
    const advice = "Pass it to that method";
    throw rejectedCheckpoint("other_method", owner.call, `belongs to ${method}`, advice);
  }
  for (const [field, reason, what, advice] of PLACES) {
    if (owner[field] !== undefined && checkpoint[field] !== owner[field])
      throw rejectedCheckpoint(reason, call, `belongs to another ${what}`, advice);
  }
  const changed = Object.entries(owner.query ?? {}).filter(([name, each]) => query[name] !== each);
  if (changed.length > 0) {
    const names = changed.map(([name]) => name).join(" and ");
    const advice = `Omit ${names}, which the checkpoint stores, pass the same`;
    throw rejectedCheckpoint("other_input", call, "belongs to another query", advice);
  }
}

const PLACES = [
  ["server", "other_server", "server", "Use the baseUrl that it was written with"],
  ["organization", "other_organization", "organization", "Use the apiKey that it was written with"],
  ["path", "other_input", "list", "Pass the same input"],
] as const;

/** Creates the error for a checkpoint that cannot be used. */
export function rejectedCheckpoint(
  reason: CheckpointError["reason"],
  call: string,
  happened: string,
  advice: string,
): CheckpointError {
  const message = `${call} rejected the checkpoint: it ${happened}. ${advice}, or start without it.`;
  return new CheckpointError(reason, message);
}

/**
 * Thrown when a checkpoint cannot be used, before anything is sent.
 *
 * @example
 * ```ts
 * if (error instanceof CheckpointError && error.reason === "damaged") await start({ checkpoint: undefined });
 * ```
 */
export class CheckpointError extends FieldmeshError {
  /**
   * Why the checkpoint was rejected.
   *
   * - `invalid`: it is not a checkpoint that this version wrote.
   * - `damaged`: it has changed since it was written.
   * - `other_method`, `other_server`, `other_organization`: it belongs to another one.
   * - `other_input`: it belongs to another list or query, or to other devices.
   * - `no_organization`: `organization.list` contains no id, so a checkpoint cannot be made.
   */
  readonly reason:
    | "invalid"
    | "damaged"
    | "other_method"
    | "other_server"
    | "other_organization"
    | "other_input"
    | "no_organization";

  protected static override readonly errorName: string = "CheckpointError";

  constructor(reason: CheckpointError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
