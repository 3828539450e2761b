import type { KeptEvent, PoisonStore } from "../stores/poison-store.ts";
import { type ContractTest, contractTests, expectIs, newId, type Rules } from "./contract-test.ts";

/**
 * Returns the rules that every `PoisonStore` must follow, as tests for your runner. A store that breaks a rule loses events whose
 * sender has received a 2xx.
 *
 * `create` is called twice for each test, to represent two processes: both stores must use the same table. Return the same store
 * twice if it is for one process. The tests remove their events.
 *
 * @example
 * ```ts
 * const store = memoryPoison();
 * for (const { name, run } of poisonTests(() => store)) test(name, run);
 * ```
 */
export function poisonTests(
  create: () => PoisonStore | Promise<PoisonStore>,
): readonly ContractTest[] {
  return contractTests(RULES, async (check) => check(await create(), await create()));
}

const PAYLOAD = JSON.stringify({
  text: "'\"\\%\u{1F600}é\u0000\u2028 ",
  long: "x".repeat(100_000),
});

const RULES: Rules<(mine: PoisonStore, other: PoisonStore) => Promise<void>> = {
  "failures are counted for each event, whichever process reports them": async (mine, other) => {
    const id = newId("evt");
    expectIs("The first fail", await fail(mine, id), 1);
    expectIs("The second fail, by the other store", await fail(other, id), 2);
    expectIs("The first fail of another event", await fail(mine, newId("evt")), 1);
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fail(index % 2 === 0 ? mine : other, id)),
    );
    expectIs("The highest of 20 simultaneous fails after two", Math.max(...counts), 22);
    expectIs("The number of different counts among them", new Set(counts).size, 20);
  },
  "an event is listed once it was set aside, with its type, attempts, last error and times": async (
    mine,
    other,
  ) => {
    const id = newId("evt");
    const before = Date.now();
    await fail(mine, id);
    await mine.fail({ id, type: "sim.activated", error: "TypeError" });
    expectIs("Whether list has an event that only failed", await isListed(mine, id), false);
    expectIs("get of an event that only failed", await mine.get(id), undefined);
    expectIs("setAside", await mine.setAside(id, PAYLOAD), true);
    const listed = (await other.list()).find((event) => event.id === id);
    if (listed === undefined) throw missing("list");
    for (const [call, event] of Object.entries({ list: listed, get: await keptBy(other, id) })) {
      const { type, attempts, error, firstFailedAt, lastFailedAt, setAsideAt } = event;
      expectIs(`type by ${call}`, type, "sim.activated");
      expectIs(`attempts by ${call}`, attempts, 2);
      expectIs(`error by ${call}`, error, "TypeError");
      const times = [firstFailedAt, lastFailedAt, setAsideAt];
      const isInOrder = times.every((time, index) => Number(times[index - 1] ?? 0) <= Number(time));
      expectIs(`Whether the times by ${call} are in order`, isInOrder, true);
      // The clock of a database may differ slightly.
      for (const time of times)
        expectIs(
          `Whether a time by ${call} is a Date of now`,
          time instanceof Date && Math.abs(time.getTime() - before) < 600_000,
          true,
        );
    }
    expectIs("Whether list holds the payload", JSON.stringify(listed).includes("long"), false);
    await mine.remove(id);
  },
  "the payload is kept as it came, and an event may be kept without one": async (mine, other) => {
    const [full, empty] = [newId("evt"), newId("evt")];
    for (const id of [full, empty]) await fail(mine, id);
    await mine.setAside(full, PAYLOAD);
    await mine.setAside(empty, undefined);
    expectIs(
      "Whether get returns the payload",
      (await keptBy(other, full)).payload === PAYLOAD,
      true,
    );
    expectIs("id by get without a payload", (await keptBy(other, empty)).id, empty);
    expectIs("payload by get without one", (await keptBy(other, empty)).payload, undefined);
    await mine.setAside(empty, "later");
    expectIs(
      "payload by get after setAside with one",
      (await keptBy(other, empty)).payload,
      "later",
    );
    for (const id of [full, empty]) await mine.remove(id);
  },
  "an event that fails again after it was set aside stays, with its payload, and is counted on":
    async (mine, other) => {
      const id = newId("evt");
      await fail(mine, id);
      await mine.setAside(id, PAYLOAD);
      const first = await keptBy(mine, id);
      expectIs("fail of an event that was set aside", await fail(other, id), 2);
      expectIs("setAside again", await other.setAside(id, undefined), true);
      const second = await keptBy(mine, id);
      expectIs("Whether the payload stays", second.payload === PAYLOAD, true);
      expectIs("attempts after that", second.attempts, 2);
      const asideAt = (event: KeptEvent): number => event.setAsideAt.getTime();
      expectIs("setAsideAt after that", asideAt(second), asideAt(first));
      const times = (await mine.list()).filter((event) => event.id === id).length;
      expectIs("How often list has it", times, 1);
      await mine.remove(id);
    },
  "an event that never failed is not set aside": async (mine) => {
    const id = newId("evt");
    expectIs("setAside of an unknown event", await mine.setAside(id, PAYLOAD), false);
    expectIs("get of an unknown event", await mine.get(id), undefined);
    await mine.remove(id);
  },
  "a removed event is forgotten with its failures": async (mine, other) => {
    const id = newId("evt");
    await fail(mine, id);
    await fail(mine, id);
    await mine.setAside(id, PAYLOAD);
    await other.remove(id);
    expectIs("get of a removed event", await mine.get(id), undefined);
    expectIs("Whether list has a removed event", await isListed(mine, id), false);
    expectIs("The first fail after that", await fail(mine, id), 1);
    await mine.remove(id);
    expectIs("The first fail after removing a failure", await fail(mine, id), 1);
  },
  "ids are compared character by character: case, accents, quotes and blanks count": async (
    mine,
  ) => {
    const id = newId("evt_e");
    const similar = [id, id.toUpperCase(), `${id} `, `${id}'"\\%_;--`, id.replace("_e", "_é")];
    for (const each of similar) {
      expectIs(`The first fail of ${JSON.stringify(each)}`, await fail(mine, each), 1);
      await mine.setAside(each, JSON.stringify({ each }));
    }
    for (const each of similar) {
      const { payload } = await keptBy(mine, each);
      expectIs(`The payload of ${JSON.stringify(each)}`, payload, JSON.stringify({ each }));
      await mine.remove(each);
    }
  },
};

function fail(store: PoisonStore, id: string): Promise<number> {
  return store.fail({ id, type: "sim.activated", error: "Error" });
}

async function keptBy(store: PoisonStore, id: string): Promise<KeptEvent> {
  const event = await store.get(id);
  if (event === undefined) throw missing("get");
  return event;
}

function missing(call: string): Error {
  return new Error(`${call} after setAside: expected the event, but got none.`);
}

async function isListed(store: PoisonStore, id: string): Promise<boolean> {
  return (await store.list()).some((event) => event.id === id);
}
