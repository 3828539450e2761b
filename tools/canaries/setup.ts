import { afterEach, vi } from "vitest";
import { FieldmeshError } from "../../packages/core/src/error.ts";
import type { tell as Tell } from "../../packages/core/src/tell.ts";
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

afterEach(() => {
  const hits = scanner.hits();
  if (hits.length > 0)
    throw new Error(`What the test printed, made or wrote holds a secret:\n${hits.join("\n")}`);
});
