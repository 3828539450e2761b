import { describe, expect, test } from "vitest";
import { currentEventTypes, earlierEventTypes } from "../src/index.ts";
import {
  checkCatalog,
  lintSubscription,
  validateEnabledEvents,
} from "../src/subscription/index.ts";

describe("validateEnabledEvents", () => {
  test("accepts every current type, every family, and *", () => {
    const families = new Set(currentEventTypes.map((type) => `${type.split(".")[0]}.*`));
    expect(validateEnabledEvents(["*", ...currentEventTypes, ...families])).toEqual([]);
  });

  test("rejects the types of the earlier catalog, and names their successors, unless the live list has them", () => {
    expect(validateEnabledEvents(earlierEventTypes).map(({ reason }) => reason)).toEqual(
      earlierEventTypes.map(() => "earlier_type"),
    );
    expect(validateEnabledEvents(["sim.reinstated"])[0]?.message).toContain(
      "today it is likely sim.restored",
    );
    expect(validateEnabledEvents(["port.scheduled"])[0]?.message).toContain("without a successor");
    expect(
      validateEnabledEvents(earlierEventTypes, [...currentEventTypes, ...earlierEventTypes]),
    ).toEqual([]);
  });

  test("accepts a new type of the live list", () => {
    expect(validateEnabledEvents(["drone.landed", "drone.*"], ["drone.landed"])).toEqual([]);
  });

  test.each([
    ["sim.activatd", "unknown_type", 'not in the catalog. Did you mean "sim.activated"?'],
    ["simm.*", "unknown_family", 'Did you mean "sim.*"?'],
    ["foo.*", "unknown_family", '"foo.*": no type begins with "foo.".'],
    ["port_out.*", "unknown_family", 'no type begins with "port_out."'],
    ["sim*", "malformed", 'or "*". Did you mean "sim.*"?'],
    ["subscription.li*", "malformed", 'such as "sim.*"'],
    ["cpni.*.requested", "malformed", "a pattern is"],
    ["subscription.lin.*", "unknown_family", 'Did you mean "subscription.line.*"?'],
    ["", "unknown_type", "not in the catalog"],
  ])("returns the problem of %s", (pattern, reason, message) => {
    expect(validateEnabledEvents([pattern])).toEqual([
      { pattern, reason, message: expect.stringContaining(message) },
    ]);
  });
});

test("checkCatalog lists new and missing types, and knows the earlier types", () => {
  const live = [
    ...currentEventTypes.filter((type) => type !== "sms.received"),
    "drone.landed",
    "sim.reinstated",
  ];
  expect(checkCatalog(live)).toEqual({ added: ["drone.landed"], gone: ["sms.received"] });
  expect(checkCatalog(currentEventTypes)).toEqual({ added: [], gone: [] });
});

describe("lintSubscription", () => {
  test("suggests the type of a misspelled handler", () => {
    const messages = lintSubscription(
      ["*"],
      ["sim.activatd", "simm.*", "drone.landed", "otherwise"],
    );
    expect(messages.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"sim\.activatd" never fires: .* Did you mean "sim\.activated"\?$/),
      expect.stringMatching(/"simm\.\*" never fires: .* Did you mean "sim\.\*"\?$/),
      expect.stringMatching(/"drone\.landed" never fires: .* nothing for it\.$/),
    ]);
  });

  const rules = (enabled: string[], keys: string[]) =>
    lintSubscription(enabled, keys).map(({ rule, subjects }) => [rule, ...subjects]);

  test("finds handlers that can never run", () => {
    expect(rules(["sim.*"], ["sim.*", "invoice.paid", "invoice.*", "otherwise", "*"])).toEqual([
      ["never_fires", "invoice.paid"],
      ["never_fires", "invoice.*"],
    ]);
    expect(rules(["sim.synced"], ["sim.synced", "otherwise"])).toEqual([
      ["never_fires", "otherwise"],
    ]);
    expect(rules(["*"], ["sim.reinstated", "*"])).toEqual([["never_fires", "sim.reinstated"]]);
  });

  test("finds subscribed types without a handler", () => {
    expect(rules(["dispute.*", "sms.received"], ["dispute.opened"])).toEqual([
      ["no_handler", "dispute.updated", "dispute.closed", "sms.received"],
    ]);
    expect(rules(["dispute.*"], ["dispute.opened", "otherwise"])).toEqual([]);
  });

  test("finds handlers that receive no activation code because of *", () => {
    expect(rules(["*"], ["sim.activated", "otherwise"])).toEqual([
      ["no_activation_code", "sim.activated"],
    ]);
    const both = ["sim.activated", "sim.swapped", "otherwise"];
    expect(rules(["*", "sim.activated"], both)).toEqual([["no_activation_code", "sim.swapped"]]);
    expect(rules(["*", "sim.*"], ["sim.*", "otherwise"])).toEqual([]);
    expect(rules(["cpni.verification.*"], ["cpni.*"])).toEqual([]);
    expect(rules(["cpni.escalation.*"], ["cpni.verification.*", "otherwise"])).toEqual([
      ["never_fires", "cpni.verification.*"],
    ]);
  });

  test("finds a pair of types that announces the same money, and no other pair", () => {
    const both = ["referral.reward.fulfilled", "balance.credited"];
    expect(rules(both, both)).toEqual([["same_money_twice", ...both]]);
    expect(
      rules(["balance.credited", "discount.credit_applied"], ["balance.*", "discount.*"]),
    ).toEqual([]);
  });

  test("handles * and otherwise", () => {
    expect(rules([], ["*"])).toEqual([["never_fires", "*"]]);
    expect(rules(["drone.*"], ["*"])).toEqual([]);
    // A type that this version does not know reaches `*` too.
    expect(rules(["drone.landed"], ["*"])).toEqual([]);
    expect(rules(["sim.synced", "sms.received"], ["sim.synced", "otherwise"])).toEqual([]);
  });

  test("finds a new subscribed type without a catch-all handler", () => {
    expect(rules(["drone.landed"], [])).toEqual([["no_handler", "drone.landed"]]);
    expect(rules(["drone.landed"], ["otherwise"])).toEqual([]);
  });

  test("names three types, and counts the rest", () => {
    const [three] = lintSubscription(["plan.*"], []);
    expect(three?.message).toContain("plan.created, plan.updated, plan.deleted.");
    const [four] = lintSubscription(["plan.*", "sms.received"], []);
    expect(four?.message).toContain("plan.created, plan.updated, plan.deleted and 1 more.");
  });

  test("accepts the handlers of a router", () => {
    const handlers = { "sms.received": () => undefined, "sim.*": undefined };
    expect(lintSubscription(["sms.*"], handlers)).toEqual([]);
  });
});
