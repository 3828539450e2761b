import { expect, test } from "vitest";
import type { Build } from "./subject.ts";
import { expectSameResult, find, receiver } from "./testing/parts.ts";
import { planted } from "./testing/planted.ts";

const MINUTE = 60_000;
const sizes: number[] = [];
for (const [name, build] of Object.entries(planted))
  test(`finds a receiver that ${name}`, { timeout: MINUTE }, async () => {
    const { plan, rule } = await find(build, 2, 1_000);
    const size = plan.steps.flatMap(({ deliver }) => deliver).length;
    sizes.push(size);
    // oxlint-disable-next-line no-console -- the slow tier prints its figures
    console.log(`${name}: “${rule}” by ${size} ${size === 1 ? "delivery" : "deliveries"}`);
  });

test("nearly all failures shrink to at most five deliveries", () => {
  expect(sizes.filter((size) => size <= 5).length).toBeGreaterThanOrEqual(sizes.length - 2);
});

// The release tier has a hundred.
test("two searches with the same seed have the same result", async () => {
  // What it does depends on when things happen.
  await expectSameResult(planted["compares, and writes a moment later"]!, 2);
});

test("each of ten seeds finds a simple mistake", async () => {
  for (let seed = 0; seed < 10; seed++)
    for (const name of ["swallows an error of the work", "responds first and works afterwards"])
      expect((await find(planted[name]!, seed, 1)).rule).toBe("nothing is lost");
});

test("a rule that is broken once, and not again, is an error for each of 20 seeds", async () => {
  for (let seed = 0; seed < 20; seed++) {
    let calls = 0;
    // Forgets its key on every fifth call.
    const build: Build = (world) =>
      receiver(world, {
        handlers: {
          "sim.*": (event) => {
            calls++;
            return world.effect("mail", event, calls % 5 === 0 ? {} : { key: event.id });
          },
        },
      });
    const error = await find(build, seed, 20);
    expect(error.rule).toBe("an effect happens once");
    if (error.isRepeated) continue;
    expect(error.message).toContain("Broken once, not repeated: this receiver depends on time");
    expect(error.message).toContain("happened 2 times");
    expect(error.plan.steps.length).toBeGreaterThan(0);
  }
});
