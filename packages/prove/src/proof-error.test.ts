import { expect, test } from "vitest";
import type { Plan, PlannedEvent } from "./plan.ts";
import { ProofError } from "./proof-error.ts";

const plan: Plan = { steps: [{ deliver: [[0, 0, 0]], fault: { kind: "forged", at: 0 } }] };
const shown = "{ steps: [ { deliver: [ [ 0, 0, 0 ] ], fault: { kind: 'forged', at: 0 } } ] }";
const broken = {
  rule: 'no "mail"',
  problem: "a mail was sent.",
  story: ["deliver evt_1", "  evt_1 → 200"],
  printed: [],
  plan,
  isRepeated: true,
  seed: 3,
};

test("an error has the rule, the plan, the seed and a test to paste", () => {
  const error = new ProofError(broken);
  expect(error).toBeInstanceOf(Error);
  const { name, rule, seed, isRepeated } = error;
  expect({ name, rule, seed, isRepeated }).toEqual({
    name: "ProofError",
    rule: 'no "mail"',
    seed: 3,
    isRepeated: true,
  });
  expect(error.plan).toBe(plan);
  expect(String(error)).toBe(`ProofError: “no "mail"” does not hold: a mail was sent.

  deliver evt_1
    evt_1 → 200

Found with seed 3. To repeat it:

test("no \\"mail\\"", async () => {
  await proveReceiver(build, { events, replay: ${shown} });
});`);
});

test("what the run has printed follows its story, without stacks, and at most five prints", () => {
  const printed = [
    "Error: the mail failed\n    at mail (a.ts:1)\n  code 5",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
  ];
  const error = new ProofError({ ...broken, printed });
  expect(error.printed).toBe(printed);
  expect(error.message).toContain(`
    evt_1 → 200

  It printed:
    Error: the mail failed
      code 5
    b
    c
    d
    e
    (and 2 more, in printed)

Found with seed 3.`);
});

test("a rule that was broken once, and not again, says where to look", () => {
  const error = new ProofError({ ...broken, isRepeated: false });
  expect(error.isRepeated).toBe(false);
  expect(error.message).toContain(`“no "mail"” does not hold: a mail was sent.

Broken once, not repeated: this receiver depends on time or chance. The same plan has broken no rule when it ran again. Look for a counter outside of the function that builds the receiver, for Math.random and Date.now, and for a database without world.database. The run that broke the rule:

  deliver evt_1
    evt_1 → 200

Found with seed 3. To try the same plan again:
`);
});

test("a plan is shown whole and in one line, however long it is", () => {
  const turns = Array.from({ length: 120 }, (_, at) => at % 10);
  const steps = [{ deliver: [[0, 1, 2] as PlannedEvent], turns }];
  const { message } = new ProofError({ ...broken, plan: { steps } });
  expect(message).toContain(
    `replay: { steps: [ { deliver: [ [ 0, 1, 2 ] ], turns: [ ${turns.join(", ")} ] } ] } });`,
  );
});
