import { FieldmeshError } from "./error.ts";

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
