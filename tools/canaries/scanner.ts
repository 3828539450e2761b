import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { everythingPrinted, findCanary } from "./canaries.ts";

/** Something that a test printed, created, observed or wrote. */
interface Sighting {
  readonly place: string;
  readonly value: unknown;
}

// A test of a million mutations creates as many errors, all alike.
const MOST = 500;

/** Records what a test prints, creates, passes to observers and writes. Names the places that contain a canary. */
export class CanaryScanner {
  readonly #seen = new Map<string, Sighting[]>();

  /** Records a value for the search at the end of the test. */
  see(place: string, value: unknown): void {
    const sightings = this.#seen.get(place) ?? [];
    if (sightings.length < MOST) this.#seen.set(place, [...sightings, { place, value }]);
  }

  /** Returns the places with a canary, and forgets all recorded values. */
  hits(): string[] {
    const all = [...this.#seen.values()].flat();
    this.#seen.clear();
    return all.flatMap(({ place, value }) => {
      const text = everythingPrinted(value);
      const form = findCanary(text);
      return form === undefined ? [] : [`${place} holds a canary (as ${form})`];
    });
  }
}

const CONSOLE = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;

/** Watches the console and both output streams. */
export function watchOutput(scanner: CanaryScanner): void {
  for (const name of CONSOLE) {
    const print = console[name].bind(console) as (...line: unknown[]) => void;
    console[name] = (...line: unknown[]) => {
      scanner.see(`console.${name}`, line);
      print(...line);
    };
  }
  for (const name of ["stdout", "stderr"] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...written: unknown[]) => boolean;
    stream.write = (...written: unknown[]) => {
      scanner.see(`process.${name}`, String(written[0]));
      return write(...written);
    };
  }
}

/** Watches every error of a class, through a class between it and Error. */
export function watchErrors(scanner: CanaryScanner, base: new (message: string) => Error): void {
  class Watched extends Error {
    constructor(...init: ConstructorParameters<typeof Error>) {
      super(...init);
      scanner.see("an error", this);
    }
  }
  Object.setPrototypeOf(base, Watched);
}

const WRITERS = [
  "writeFileSync",
  "appendFileSync",
  "writeSync",
  "writeFile",
  "appendFile",
] as const;

/** Watches what is written to files. */
export function watchFiles(scanner: CanaryScanner): void {
  const watch = (owner: object, name: string): void => {
    const functions = owner as Record<string, (...args: unknown[]) => unknown>;
    const write = functions[name] ?? (() => undefined);
    functions[name] = (...args) => {
      const [, content] = args;
      scanner.see(
        "a file",
        content instanceof Uint8Array ? new TextDecoder().decode(content) : content,
      );
      return write(...args);
    };
  };
  for (const name of WRITERS) watch(fs, name);
  for (const name of ["writeFile", "appendFile"]) watch(fs.promises, name);
  syncBuiltinESMExports();
}

type Call = (...args: never[]) => unknown;

/** Wraps a function to record its arguments, such as the values of a row in a store. */
export function watchCall<Written extends Call>(
  scanner: CanaryScanner,
  place: string,
  write: Written,
): Written {
  return ((...args: Parameters<Written>) => {
    scanner.see(place, args);
    return write(...args);
  }) as Written;
}

/** Wraps a function that creates stores, to watch their methods. */
export function watchStores<Make extends (...args: never[]) => object>(
  scanner: CanaryScanner,
  place: string,
  make: Make,
): Make {
  return ((...args: Parameters<Make>) =>
    Object.fromEntries(
      Object.entries(make(...args)).map(([name, member]: [string, unknown]) => [
        name,
        typeof member === "function" ? watchCall(scanner, place, member as Call) : member,
      ]),
    )) as Make;
}
