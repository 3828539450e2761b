import {
  anything,
  aSignal,
  hasMethod,
  options,
  wholeNumber,
  type Check,
  type Clock,
  type OptionTable,
} from "@fieldmesh/core/internal";
import { inputProblem, type Fence } from "@fieldmesh/http/internal";
import { MAX_BATCH } from "../../fields.ts";
import type { BulkOptions, CreateManyOptions } from "./bulk-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";
import type { BulkLease, CheckedLease } from "./lease-types.ts";
import type { TraceStep } from "./trace-step.ts";
import type { Waits } from "./waits.ts";

/** The options of any run. */
export interface AnyOptions extends BulkOptions<never>, OwnOptions {
  chunkSize?: number | undefined;
  timeout?: number | undefined;
}

/** The options that only some methods have. */
type OwnOptions = Pick<CreateManyOptions, "ifExists">;
type CommonOptions = Omit<AnyOptions, keyof OwnOptions>;

/** What a run starts with, besides its options. */
export interface BulkStart {
  readonly checkpoint: BulkCheckpoint | undefined;
  /** The number of inputs, if it is known. */
  readonly total: number | undefined;
  /** The inputs can be read again from their start. */
  readonly isList: boolean;
  readonly clock: Clock;
}

/** The defaults that differ between the methods. */
export interface BulkDefaults {
  readonly timeout: number;
  readonly leastChunk: number;
  readonly mostChunk: number;
  /** The checks of the options that only this method has. */
  readonly table: Partial<OptionTable<OwnOptions>>;
}

/** The options of a run with every default filled in. */
export interface BulkSettings {
  readonly chunkSize: number;
  readonly concurrency: number;
  readonly settleTime: number;
  readonly timeout: number;
  /** A run leaves room for other calls. */
  readonly priority: "background";
  readonly signal: AbortSignal | undefined;
  readonly lease: CheckedLease | undefined;
  readonly clock: Clock;
}

/** What the parts of a run know about it. */
export interface RunContext extends BulkSettings {
  readonly during: Waits["during"];
  /** Called before each request with inputs of a batch. Stores until when it may be at work. */
  readonly announce: () => Promise<void>;
  readonly traceStep: TraceStep;
  readonly fence: Fence | undefined;
}

const USUAL_CHUNKS = 50;
const UNKNOWN_TOTAL = 10_000;
const MAX_CONCURRENCY = 16;
const MAX_TIMEOUT = 2 ** 31 - 1;

const commonTable: OptionTable<CommonOptions> = {
  signal: aSignal,
  chunkSize: /* @__PURE__ */ wholeNumber(1, MAX_BATCH),
  concurrency: /* @__PURE__ */ wholeNumber(1, MAX_CONCURRENCY),
  settleTime: /* @__PURE__ */ wholeNumber(0, MAX_TIMEOUT),
  timeout: /* @__PURE__ */ wholeNumber(1, MAX_TIMEOUT),
  // Checked with the settings, because a stream needs an id.
  lease: anything,
  onProgress: anything,
  checkpoint: anything,
  onCheckpoint: anything,
};

/** Reads the options that the caller passed. Throws a TypeError that says what to write. */
export function readBulkOptions(
  method: string,
  given: AnyOptions | undefined,
  { table }: BulkDefaults,
): AnyOptions {
  const read = options<CommonOptions>(method, { ...commonTable, ...table });
  return read<AnyOptions>(given);
}

/** Fills in the defaults of checked options. Throws an InputError for a lease of the wrong form. */
export function toBulkSettings(
  method: string,
  given: AnyOptions,
  defaults: BulkDefaults,
  { total, isList, clock }: BulkStart,
): BulkSettings {
  const { concurrency = 4, settleTime = 5_000, timeout = defaults.timeout, signal } = given;
  const { chunkSize = usualChunkSize(defaults, total) } = given;
  const lease = given.lease === undefined ? undefined : readLease(method, given.lease, isList);
  const priority = "background";
  return { chunkSize, concurrency, settleTime, timeout, priority, signal, lease, clock };
}

const LEAST_LEASE = 5_000;
const USUAL_LEASE = 60_000;

function readLease(method: string, given: BulkLease, isList: boolean): CheckedLease {
  const context = { call: `devices.${method}`, route: "POST /api/v1/devices" };
  const must =
    (rule: string, test: (value: unknown) => boolean): Check =>
    (value, name) => {
      if (test(value)) return value as never;
      throw inputProblem(context, `options.lease.${name}`, `must ${rule}`);
    };
  const read = options<BulkLease>("lease", {
    id: must("be a string that is not empty", (id) => typeof id === "string" && id !== ""),
    store: {
      required: must(
        "have the methods claim, extend, release and forget, as redisStore has",
        (store) => ["claim", "extend", "release", "forget"].every((name) => hasMethod(store, name)),
      ),
    },
    duration: must(
      `be a whole number of milliseconds, at least ${LEAST_LEASE}`,
      (value) =>
        Number.isInteger(value) && Number(value) >= LEAST_LEASE && Number(value) <= MAX_TIMEOUT,
    ),
  });
  const { duration = USUAL_LEASE, ...lease } = read(given);
  if (lease.id === undefined && !isList)
    throw inputProblem(context, "options.lease.id", "must be set for an input that is read once");
  return { ...lease, duration };
}

/** Doubles a timeout, up to the longest one that a timer accepts. */
export function twice(timeout: number): number {
  return Math.min(timeout * 2, MAX_TIMEOUT);
}

/** Small enough for visible progress, large enough for few requests and a small checkpoint. */
function usualChunkSize(
  { leastChunk, mostChunk }: BulkDefaults,
  total: number = UNKNOWN_TOTAL,
): number {
  return Math.min(mostChunk, Math.max(leastChunk, Math.ceil(total / USUAL_CHUNKS)));
}
