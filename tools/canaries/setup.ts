import { afterAll, afterEach, vi } from "vitest";
import { FieldmeshError } from "../../packages/core/src/error.ts";
import type { borrow as Borrow } from "../../packages/core/src/database/port.ts";
import type { openRedis as OpenRedis } from "../../packages/core/src/database/redis.ts";
import type { notify as Notify } from "../../packages/core/src/notify.ts";
import type { createLogbook as CreateLogbook } from "../../packages/console-client/src/bulk/run/logbook.ts";
import type { memoryPoison as MemoryPoison } from "../../packages/webhook-types/src/stores/memory-poison.ts";
import type { memoryStore as MemoryStore } from "../../packages/webhook-types/src/stores/memory-store.ts";
import {
  CanaryScanner,
  watchCall,
  watchErrors,
  watchFiles,
  watchOutput,
  watchStores,
} from "./scanner.ts";

const ONE = Symbol.for("fieldmesh.canaries");
const REAL = Symbol.for("fieldmesh.real");
/** The globals that tests fake. */
const FAKED = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "Date",
  "fetch",
] as const;
type Real = Readonly<Record<(typeof FAKED)[number], unknown>>;
const shared = globalThis as { [ONE]?: CanaryScanner; [REAL]?: Real };
const real = (shared[REAL] ??= Object.fromEntries(
  FAKED.map((name) => [name, globalThis[name]]),
) as Real);

/**
 * One for all files of a worker, because files that share a module graph share what is wrapped below. For the test that plants a leak
 * in each store, too.
 */
export const scanner = (shared[ONE] ??= watchProcess());

watchErrors(scanner, FieldmeshError);

/** Wraps what the process has once, once. */
function watchProcess(): CanaryScanner {
  const first = new CanaryScanner();
  watchOutput(first);
  watchFiles(first);
  return first;
}

// This function calls all observers: hooks, onDrift, loggers, onReport and others.
vi.mock("../../packages/core/src/notify.ts", async (original) => {
  const { notify } = await original<{ notify: typeof Notify }>();
  return {
    notify: ((name, watcher, call) =>
      notify(name, watcher, (each) =>
        call(
          new Proxy(each, {
            apply(target, self, args: unknown[]) {
              scanner.see(name, args);
              return Reflect.apply(target as never, self, args) as unknown;
            },
            // A logger is an object of functions.
            get(target, key) {
              const member: unknown = Reflect.get(target, key);
              if (typeof member !== "function") return member;
              return (...args: unknown[]): unknown => {
                scanner.see(`${name}.${String(key)}`, args);
                return Reflect.apply(member, target, args) as unknown;
              };
            },
          }),
        ),
      )) as typeof notify,
  };
});

// The checkpoints that a bulk run passes to its caller.
vi.mock("../../packages/console-client/src/bulk/run/logbook.ts", async (original) => {
  const { createLogbook } = await original<{ createLogbook: typeof CreateLogbook }>();
  return {
    createLogbook: ((init, { onProgress, onCheckpoint }) =>
      createLogbook(init, {
        onProgress,
        onCheckpoint:
          onCheckpoint &&
          ((checkpoint) => {
            scanner.see("onCheckpoint", checkpoint);
            return onCheckpoint(checkpoint as never);
          }),
      })) as typeof CreateLogbook,
  };
});

// The rows that the stores of a receiver write.
vi.mock("../../packages/core/src/database/port.ts", async (original) => {
  const module = await original<{ borrow: typeof Borrow }>();
  return {
    ...module,
    borrow: ((driver, work) =>
      module.borrow(driver, (lent) =>
        work({ ...lent, send: watchCall(scanner, "a row of a database", lent.send) }),
      )) as typeof Borrow,
  };
});
vi.mock("../../packages/core/src/database/redis.ts", async (original) => {
  const { openRedis } = await original<{ openRedis: typeof OpenRedis }>();
  return {
    openRedis: ((...args) => {
      const redis = openRedis(...args);
      return { ...redis, script: watchCall(scanner, "a key of Redis", redis.script) };
    }) as typeof OpenRedis,
  };
});
vi.mock("../../packages/webhook-types/src/stores/memory-store.ts", async (original) => {
  const { memoryStore } = await original<{ memoryStore: typeof MemoryStore }>();
  return { memoryStore: watchStores(scanner, "a row in memory", memoryStore) };
});
vi.mock("../../packages/webhook-types/src/stores/memory-poison.ts", async (original) => {
  const { memoryPoison } = await original<{ memoryPoison: typeof MemoryPoison }>();
  return { memoryPoison: watchStores(scanner, "a row in memory", memoryPoison) };
});

afterEach(() => {
  const hits = scanner.hits();
  if (hits.length > 0)
    throw new Error(`What the test printed, made or wrote holds a secret:\n${hits.join("\n")}`);
});

// The files of a package share their globals: a fake that is left behind lets another file wait without end.
afterAll(() => {
  const left = FAKED.filter((name) => globalThis[name] !== real[name]);
  if (left.length > 0)
    throw new Error(
      `This file leaves a fake ${left.join(" and ")} behind. Call vi.useRealTimers() after each test, restore spies, and do not spy on a faked function.`,
    );
});
