import { afterEach, vi } from "vitest";
import { FieldmeshError } from "../../packages/core/src/error.ts";
import type { notify as Notify } from "../../packages/core/src/notify.ts";
import type { createLogbook as CreateLogbook } from "../../packages/console-client/src/bulk/logbook.ts";
import type { memoryPoison as MemoryPoison } from "../../packages/webhook-types/src/stores/memory-poison.ts";
import type { memoryStore as MemoryStore } from "../../packages/webhook-types/src/stores/memory-store.ts";
import type {
  queryOf as QueryOf,
  senderOf as PostgresSenderOf,
} from "../../packages/webhook-types/src/stores/postgres-client.ts";
import type { senderOf as SenderOf } from "../../packages/webhook-types/src/stores/redis-client.ts";
import type {
  openSqlite as OpenSqlite,
  prepareInTransaction as PrepareInTransaction,
} from "../../packages/webhook-types/src/stores/sqlite-client.ts";
import {
  CanaryScanner,
  watchCall,
  watchErrors,
  watchFiles,
  watchOutput,
  watchStores,
} from "./scanner.ts";

const ONE = Symbol.for("fieldmesh.canaries");
const shared = globalThis as { [ONE]?: CanaryScanner };

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
vi.mock("../../packages/console-client/src/bulk/logbook.ts", async (original) => {
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
vi.mock("../../packages/webhook-types/src/stores/sqlite-client.ts", async (original) => {
  const module = await original<{
    openSqlite: typeof OpenSqlite;
    prepareInTransaction: typeof PrepareInTransaction;
  }>();
  return {
    ...module,
    openSqlite: ((...args) => {
      const prepare = module.openSqlite(...args);
      return (sql) => watchCall(scanner, "a row of SQLite", prepare(sql));
    }) as typeof OpenSqlite,
    prepareInTransaction: ((...args) =>
      watchCall(
        scanner,
        "a row of SQLite",
        module.prepareInTransaction(...args),
      )) as typeof PrepareInTransaction,
  };
});
vi.mock("../../packages/webhook-types/src/stores/postgres-client.ts", async (original) => {
  const module = await original<{ queryOf: typeof QueryOf; senderOf: typeof PostgresSenderOf }>();
  return {
    ...module,
    senderOf: ((...args) =>
      watchCall(
        scanner,
        "a row of PostgreSQL",
        module.senderOf(...args),
      )) as typeof PostgresSenderOf,
    queryOf: ((...args) =>
      watchCall(scanner, "a row of PostgreSQL", module.queryOf(...args))) as typeof QueryOf,
  };
});
vi.mock("../../packages/webhook-types/src/stores/redis-client.ts", async (original) => {
  const { senderOf } = await original<{ senderOf: typeof SenderOf }>();
  return {
    senderOf: ((client) =>
      watchCall(scanner, "a key of Redis", senderOf(client))) as typeof SenderOf,
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
