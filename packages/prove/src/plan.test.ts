import fc from "fast-check";
import { expect, test } from "vitest";
import { plainPlans, plans, shorten, type FaultKind, type Plan } from "./plan.ts";

const KINDS: readonly FaultKind[] = [
  "crash after",
  "crash before",
  "error after",
  "error before",
  "response lost",
  "forged",
];

test("plain plans without a fault mix up times, types and dates, and stored events", () => {
  const all = plainPlans({ types: 2, calls: 0, catchesUp: true }).map(({ steps }) =>
    steps.map(({ deliver, fault, ...more }) => fault ?? JSON.stringify([...deliver, more])),
  );
  const event = "[[0,0,0],{}]";
  expect(all.slice(0, 13)).toEqual([
    [event, "[[0,0,0,1],{}]"],
    ["[[0,0,0],[0,0,0,1],{}]"],
    [event, "[[1,0,0,1],{}]"],
    ["[[2,0,1],{}]"],
    ["[[2,0,1],{}]", event],
    ...["960", "100000000", '"unreadable"'].map((second) => [`[[0,0,${second}],{}]`]),
    ...["960", "100000000", '"unreadable"'].map((second) => [`[[0,0,${second}],{}]`, event]),
    ['[[0,0,100000000],{"wait":4000}]', "[[0,0,960],{}]"],
    ['[[0,0,0],{"catchUp":true}]'],
  ]);
});

test("plain plans strike each call with each fault, for one delivery and for two at once", () => {
  const one = [0, 0, 0];
  const two = [1, 0, 0];
  const faults = [
    ...KINDS.slice(0, 4).flatMap((kind) => [0, 1].map((at) => ({ kind, at }))),
    { kind: "response lost", at: 0 },
    { kind: "forged", at: 0 },
  ];
  const expected = [one, two].flatMap((event) =>
    faults.flatMap((fault) => [
      { steps: [{ deliver: [event], fault }] },
      { steps: [{ deliver: [event, event], fault }] },
    ]),
  );
  const faulty = plainPlans({ types: 2, calls: 2, catchesUp: false }).filter(
    (plan) => plan.steps[0]?.fault !== undefined,
  );
  expect(faulty).toEqual(expected);
});

test("random plans reach everything that may happen, and nothing else", () => {
  const [types, calls] = [2, 3];
  const all = fc.sample(plans({ types, calls, catchesUp: true }), { seed: 1, numRuns: 3_000 });
  const steps = all.flatMap((plan) => plan.steps);
  const events = steps.flatMap(({ deliver }) => deliver);
  const turns = steps.map((step) => step.turns ?? []);
  const seen = (values: readonly unknown[]) => new Set(values);
  const upTo = (last: number, first = 0) =>
    new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));

  // The indexes after the last type stand for types that nobody knows.
  expect(seen(events.map(([type]) => type))).toEqual(upTo(2 * types - 1));
  expect(seen(events.map(([, object]) => object))).toEqual(upTo(1));
  const dates = [0, 1, 2, 3, 960, 100_000_000, "unreadable"];
  expect(seen(events.map(([, , second]) => second))).toEqual(new Set(dates));
  expect(seen(events.map(([, , , other]) => other))).toEqual(new Set([undefined, 1]));
  expect(seen(steps.map(({ catchUp }) => catchUp))).toEqual(new Set([false, true]));
  expect(steps.map(({ fault }) => fault)).not.toContain(null);
  expect(seen(steps.map(({ fault }) => fault?.kind))).toEqual(seen([...KINDS, undefined]));
  expect(seen(steps.map(({ fault }) => fault?.at))).toEqual(seen([0, 1, 2, undefined]));
  expect(seen(turns.flat())).toEqual(upTo(3));
  expect(seen(turns.map(({ length }) => length))).toEqual(upTo(10));
  expect(seen(steps.map(({ wait }) => wait))).toEqual(new Set([0, 5, 31, 600, 4000]));
  expect(seen(all.map(({ skew }) => skew))).toEqual(new Set([0, -60, 60, -240, 240]));
  expect(seen(all.map(({ rotateAt }) => rotateAt))).toEqual(seen([...upTo(12), undefined]));
  expect(seen(all.map((plan) => plan.steps.length))).toEqual(upTo(12, 1));
  expect(seen(steps.map(({ deliver }) => deliver.length))).toEqual(upTo(4, 1));
});

const event = [0, 0, 0] as const;
const step = { deliver: [event] };
const fault = { kind: "forged", at: 0 } as const;

test.each<[string, Plan, Plan]>([
  [
    "what changes nothing",
    {
      skew: 0,
      rotateAt: undefined,
      steps: [{ ...step, fault: undefined, turns: [], catchUp: false, wait: 0 }],
    },
    { steps: [step] },
  ],
  [
    "undefined values",
    { skew: undefined, steps: [{ ...step, wait: undefined }] },
    { steps: [step] },
  ],
  ["a change of the secret after the last step", { rotateAt: 1, steps: [step] }, { steps: [step] }],
  ["the order of one delivery", { steps: [{ ...step, turns: [1] }] }, { steps: [step] }],
  [
    "an order that lets the first one continue",
    { steps: [{ deliver: [event, event], turns: [0, 0] }] },
    { steps: [{ deliver: [event, event] }] },
  ],
])("a plan that is shown leaves out %s", (_name, plan, expected) => {
  expect(shorten(plan)).toStrictEqual(expected);
});

test.each<[string, Plan]>([
  ["skew", { skew: -60, steps: [step] }],
  ["change of the secret", { rotateAt: 0, steps: [step] }],
  ["change of the secret before the last step", { rotateAt: 1, steps: [step, step] }],
  ["fault", { steps: [{ ...step, fault }] }],
  ["order", { steps: [{ deliver: [event, event], turns: [0, 1] }] }],
  ["catch-up, and its order", { steps: [{ ...step, turns: [1], catchUp: true }] }],
  ["wait", { steps: [{ ...step, wait: 5 }] }],
])("a plan that is shown keeps its %s", (_name, plan) => {
  expect(shorten(plan)).toStrictEqual(plan);
});
