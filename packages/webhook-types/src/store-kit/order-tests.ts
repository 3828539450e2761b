import type { EventEnvelope } from "../events/envelope.ts";
import type { ObjectOrder } from "../stores/object-order.ts";
import { type ContractTest, contractTests, expectIs, newId, type Rules } from "./contract-test.ts";

/**
 * Returns the rules that every `ObjectOrder` must follow, as tests for your runner.
 *
 * `create` is called twice for each test, to represent two processes: both orders must use the same table. Return the same order
 * twice if it is for one process.
 *
 * @example
 * ```ts
 * const order = memoryOrder();
 * for (const { name, run } of orderTests(() => order)) test(name, run);
 * ```
 */
export function orderTests(
  create: () => ObjectOrder | Promise<ObjectOrder>,
): readonly ContractTest[] {
  return contractTests(RULES, async (check) => check(await create(), await create()));
}

const RULES: Rules<(mine: ObjectOrder, other: ObjectOrder) => Promise<void>> = {
  "an event is older than a newer one of the same object, whichever process handled that": async (
    mine,
    other,
  ) => {
    const id = newId("plan");
    const expectOlder = async (created_at: string, expected: boolean): Promise<void> =>
      expectIs(`isOlder of ${created_at}`, await mine.isOlder(eventOf(id, created_at)), expected);
    await expectOlder("2026-01-01T00:00:00Z", false);
    await other.remember(eventOf(id, "2026-01-02T00:00:00.001Z"));
    await expectOlder("2026-01-02T00:00:00Z", true);
    // The same moment.
    await expectOlder("2026-01-02T01:00:00.001+01:00", false);
    await expectOlder("2026-01-03T00:00:00Z", false);
    await other.remember(eventOf(id, "2026-01-02T00:00:00.001002Z"));
    await expectOlder("2026-01-02T00:00:00.001001Z", true);
    const unrelated = eventOf(newId("plan"), "2026-01-01T00:00:00Z");
    expectIs("isOlder of another object's event", await mine.isOlder(unrelated), false);
  },
  "the newest event stays the newest, in whatever order the events are remembered": async (
    mine,
    other,
  ) => {
    const id = newId("plan");
    const minutes = ["07", "31", "59", "02", "44", "58", "13"];
    const remember = (minute: string, index: number): Promise<void> =>
      (index % 2 === 0 ? mine : other).remember(eventOf(id, `2026-01-02T00:${minute}:00Z`));
    await Promise.all(minutes.map(remember));
    const [before, newest] = ["2026-01-02T00:58:59Z", "2026-01-02T00:59:00Z"];
    expectIs(`isOlder of ${before}`, await mine.isOlder(eventOf(id, before)), true);
    expectIs(`isOlder of ${newest}`, await other.isOlder(eventOf(id, newest)), false);
  },
  "an event that is ahead counts as of its first claim from then on, if the order keeps that":
    async (mine, other) => {
      const id = newId("plan");
      const ahead = eventOf(id, "2126-01-02T00:00:00Z");
      const first = Date.parse("2026-01-02T00:00:00Z");
      const claim = (order: ObjectOrder, now: number) =>
        order.firstClaim?.(ahead, now, { source: ahead }) ?? first;
      expectIs("firstClaim", await claim(mine, first), first);
      expectIs("firstClaim of another attempt", await claim(other, first + 1), first);
      if (mine.firstClaim === undefined) return;
      await other.remember(ahead);
      const [before, after] = ["2026-01-01T23:59:59Z", "2026-01-02T00:00:01Z"];
      expectIs(`isOlder of ${before}`, await mine.isOlder(eventOf(id, before)), true);
      expectIs(`isOlder of ${after}`, await mine.isOlder(eventOf(id, after)), false);
      await other.remember(eventOf(id, after));
      expectIs("isOlder of the event that is ahead", await mine.isOlder(ahead), true);
    },
  "objects of different kinds may have the same id, and events of different types be of one object":
    async (mine, other) => {
      const id = newId("x");
      await other.remember(eventOf(id, "2026-01-02T00:00:00Z", "sim.activated"));
      const isOlder = async (type: string): Promise<boolean> =>
        mine.isOlder(eventOf(id, "2026-01-01T00:00:00Z", type));
      expectIs("isOlder of another kind's event", await isOlder("invoice.paid"), false);
      expectIs("isOlder of the same kind's event", await isOlder("sim.msisdn_changed"), true);
    },
  "an event without an id of its object, or without a time, is never older, and not remembered":
    async (mine) => {
      const id = newId("plan");
      for (const none of [undefined, ""]) {
        await mine.remember(eventOf(none, "2026-01-02T00:00:00Z"));
        const earlier = await mine.isOlder(eventOf(none, "2026-01-01T00:00:00Z"));
        expectIs("isOlder of an object without an id", earlier, false);
      }
      await mine.remember(eventOf(id, "soon"));
      const ancient = await mine.isOlder(eventOf(id, "1990-01-01T00:00:00Z"));
      expectIs("isOlder after an event without a time", ancient, false);
      await mine.remember(eventOf(id, "2026-01-02T00:00:00Z"));
      expectIs(
        "isOlder of an event without a time",
        await mine.isOlder(eventOf(id, "soon")),
        false,
      );
    },
};

export function eventOf(
  id: string | undefined,
  created_at: string,
  type = "plan.updated",
): EventEnvelope {
  const eventId = newId("evt");
  return {
    id: eventId,
    type,
    created_at,
    livemode: false,
    data: { object: { id } },
    idempotency_key: eventId,
  };
}
