import fc from "fast-check";
import { expect, test } from "vitest";
import { eventTypes, type UnknownEvent, type WebhookEvent } from "../src/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent, testContext } from "../src/samples/index.ts";

// For any table of handlers and any event: which handlers run, in which order, how often, and what happens to errors.

type Behavior = "returns" | "waits" | "throws" | "rejects";

const families = [...new Set(eventTypes.map((type) => type.split(".")[0]!))];
// Few types and families, so that many of the tables have a handler for the event.
const types = eventTypes.filter((type) => /^(sim|plan|invoice)\./.test(type)).slice(0, 12);
const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("sim.*", "plan.*", "invoice.*", "*", "otherwise") },
  { weight: 4, arbitrary: fc.constantFrom(...types) },
  { weight: 1, arbitrary: fc.constantFrom(...eventTypes, ...families.map((each) => `${each}.*`)) },
);
const tables = fc.dictionary(
  keys,
  fc.constantFrom<Behavior>("returns", "waits", "throws", "rejects"),
  {
    maxKeys: 12,
  },
);
const events: fc.Arbitrary<WebhookEvent | UnknownEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...types).map((type) => sampleEvent(type)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("sim.teleported", "weather.changed", "plan", "*", "otherwise", "constructor")
      .map((type) => ({ ...sampleEvent("plan.created"), type }) as unknown as UnknownEvent),
  },
);

/** Follows the doc comments: the handler of the type, that of the family, `otherwise` only if both are missing, and then "*". */
function expectedOf(table: object, type: string): string[] {
  const isKnown = (eventTypes as readonly string[]).includes(type);
  const own = isKnown ? [type, `${type.split(".")[0]}.*`] : [];
  const found = own.filter((key) => Object.hasOwn(table, key));
  const rest = found.length > 0 ? ["*"] : ["otherwise", "*"];
  return [...found, ...rest.filter((key) => Object.hasOwn(table, key))];
}

test("only the handlers that match an event run, in order and once, and every error is collected", async () => {
  await fc.assert(
    fc.asyncProperty(tables, events, async (table, event) => {
      const started: string[] = [];
      const ended: string[] = [];
      const context = testContext();
      const handlers = Object.entries(table).map(([key, behavior]) => {
        const end = (): void => {
          ended.push(key);
          if (behavior === "throws" || behavior === "rejects") throw new Error(key);
        };
        const handler = (...args: unknown[]): unknown => {
          started.push(key);
          expect(args).toEqual([event, context]);
          expect(args[0]).toBe(event);
          return behavior === "waits" || behavior === "rejects"
            ? Promise.resolve().then(end)
            : end();
        };
        return [key, handler] as const;
      });
      const router = createEventRouter(Object.fromEntries(handlers));

      const error: unknown = await router.dispatch(event as never, context).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );

      const expected = expectedOf(table, event.type);
      expect(started).toEqual(expected);
      // It waits for all handlers, even after an error.
      expect(ended.toSorted()).toEqual(expected.toSorted());
      const failing = expected.filter((key) => ["throws", "rejects"].includes(table[key]!));
      if (failing.length === 0) {
        expect(error).toBeUndefined();
        return;
      }
      expect(error).toBeInstanceOf(AggregateError);
      const { errors, message } = error as AggregateError;
      expect(errors.map((each: Error) => each.message).toSorted()).toEqual(failing.toSorted());
      expect(message).toContain(`${failing.length} of ${expected.length} handlers`);
    }),
    { numRuns: 1_000 },
  );
});
