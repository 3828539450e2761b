import {
  isIterable,
  mistake,
  monotonicClock,
  readInput,
  type Clock,
} from "@fieldmesh/core/internal";
import type { CallOptions } from "@fieldmesh/http";
import {
  readBulkOptions,
  toBulkSettings,
  type AnyOptions,
  type BulkDefaults,
  type BulkSettings,
  type BulkStart,
} from "./bulk-settings.ts";
import type { BulkTarget } from "./checkpoint.ts";
import type { Inputs } from "./inputs.ts";
import type { SharedRun } from "./shared-run.ts";
import type { AnyResult } from "./run-parts.ts";

/** Reads where the client changes devices. */
export type ReadTarget = (options: CallOptions) => Promise<BulkTarget>;

/** The arguments of a run, and what its method adds to them. */
export interface RunStart {
  /** For example `devices.createMany`. */
  readonly method: string;
  readonly inputs: Inputs;
  /** The options as the caller passed them. */
  readonly given: AnyOptions | undefined;
  readonly defaults: BulkDefaults;
  readonly readTarget: ReadTarget;
}

/** The same, after the check. */
export interface CheckedStart extends Omit<RunStart, "given">, Omit<BulkStart, "clock"> {
  readonly options: AnyOptions;
  readonly settings: BulkSettings;
}

type Run = SharedRun<AnyResult, unknown>;

/** A run that can be iterated and awaited. */
interface AwaitableRun extends Run, PromiseLike<unknown> {
  catch: Promise<unknown>["catch"];
  finally: Promise<unknown>["finally"];
}

/** Checks inputs and options. The code that `load` loads creates the run, which starts when it is awaited or iterated. */
export function startRun(
  start: RunStart,
  load: (start: CheckedStart) => Promise<Run>,
): AwaitableRun {
  const { method } = start;
  const checked = readInput(`An argument of ${nameOf(method)}`, () => checkStart(start));
  let loading: Promise<Run> | undefined;
  let reporting: Promise<unknown> | undefined;
  const loaded = (): Promise<Run> => (loading ??= load(checked));
  const report = (): Promise<unknown> => (reporting ??= loaded().then((run) => run.report()));
  return {
    async *[Symbol.asyncIterator]() {
      yield* await loaded();
    },
    report,
    // oxlint-disable-next-line unicorn/no-thenable -- so that `await createMany(…)` runs instead of doing nothing
    then: (...handlers) => report().then(...handlers),
    catch: (...handlers) => report().catch(...handlers),
    finally: (...handlers) => report().finally(...handlers),
  };
}

function checkStart({ given, ...start }: RunStart): CheckedStart {
  const { method, inputs, defaults } = start;
  const name = nameOf(method);
  const options = readBulkOptions(name, given, defaults);
  // Its schema loads with the run, which checks it before anything else.
  const { checkpoint } = options;
  if (!isIterable(inputs))
    throw mistake(`${name} requires an array of devices, or another (async) iterable of them.`);
  const total = lengthOf(inputs);
  const isList = total !== undefined && Symbol.iterator in inputs;
  const known = { checkpoint, total, isList };
  const settings = toBulkSettings(name, options, defaults, { ...known, clock: startClock() });
  return { ...start, ...known, options, settings };
}

/** A clock that shows the time of the machine, and that nobody sets: a wait ends on time although the machine's clock is corrected. */
function startClock(): Clock {
  const offset = Date.now() - monotonicClock.now();
  return { ...monotonicClock, now: () => monotonicClock.now() + offset };
}

/** Returns the number of inputs of an array, a Set or a similar collection. */
function lengthOf(inputs: object): number | undefined {
  const { length, size } = inputs as { length?: unknown; size?: unknown };
  return [length, size].find((each) => typeof each === "number");
}

/** Such as `createMany` for `devices.createMany`. */
function nameOf(method: string): string {
  return method.replace("devices.", "");
}
