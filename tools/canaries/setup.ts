import { afterEach, vi } from "vitest";
import { FieldmeshError } from "../../packages/core/src/error.ts";
import type { tell as Tell } from "../../packages/core/src/tell.ts";
import type { createLogbook as CreateLogbook } from "../../packages/console-client/src/bulk/logbook.ts";
import { CanaryScanner, watchErrors, watchFiles, watchOutput } from "./scanner.ts";

const scanner = new CanaryScanner();

watchOutput(scanner);
watchErrors(scanner, FieldmeshError);
watchFiles(scanner);

// Hooks, onDrift, loggers, onReport and all other functions that only watch are called by this one.
vi.mock("../../packages/core/src/tell.ts", async (original) => {
  const { tell } = await original<{ tell: typeof Tell }>();
  return {
    tell: ((name, watcher, call) =>
      tell(name, watcher, (each) =>
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
      )) as typeof tell,
  };
});

// What a bulk run hands to its caller to keep.
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

afterEach(() => {
  const hits = scanner.hits();
  if (hits.length > 0)
    throw new Error(`What the test printed, made or wrote holds a secret:\n${hits.join("\n")}`);
});
