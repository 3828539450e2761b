// A program of a user who composes our schemas with those of zod. It is copied next to the installed tarballs, compiled as ESM and as CommonJS, and run.
import { deepStrictEqual as equal, ok } from "node:assert";
import * as z from "zod";
import * as mini from "zod/mini";
import {
  bigInteger,
  compiled,
  countRecords,
  record,
  secret,
} from "@fieldmesh/core/internal/schema";
import * as ours from "@fieldmesh/core/internal/zod";
import { eventSchema } from "@fieldmesh/webhook-types/parse";

const Label = record({ id: ours.guid(), name: ours.string() });
const Event = eventSchema("sim.activated");
const Paid = record({ amount: bigInteger(), code: secret() });

const MANY_RECORDS = 300;
const label = { id: "2e0c3a52-6c2b-4d0e-9a55-0f6c1f1d7a10", name: "pumps" };
const paid = { amount: 9_007_199_254_740_993n, code: "canary" };
const event = {
  id: "evt_1",
  type: "sim.activated",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  idempotency_key: "idem_1",
  data: { object: { subscriber_id: "sub_1", activation_code: "LPA:1$canary" } },
};

// Ours in the user's.
for (const { object, array, union, optional, record: dictionary, string, safeParse } of [z, mini]) {
  const outer = object({
    one: Label,
    many: array(Label),
    either: union([Label, string()]),
    none: optional(Label),
    named: dictionary(string(), Label),
    event: Event,
  });
  const value = { one: label, many: [label], either: label, named: { a: label }, event };
  const parsed = safeParse(outer, value);
  ok(parsed.success);
  equal(parsed.data.one, label);
  equal(parsed.data.event.data.object.subscriber_id, "sub_1");
  equal(safeParse(outer, { ...value, either: "text" }).success, true);

  const wrong = { ...value, one: { ...label, name: 1 }, many: [label, { name: "x" }], either: 1 };
  const failed = safeParse(outer, wrong);
  ok(!failed.success && failed.error instanceof z.core.$ZodError);
  const paths = failed.error.issues.map(({ code, path }) => `${code} ${path.join(".")}`);
  equal(paths, ["invalid_type one.name", "invalid_type many.1.id", "invalid_union either"]);
}

// The user's in ours.
const inner = record({
  theirs: z.string().min(2).optional(),
  small: mini.array(mini.int()),
  label: Label,
});
function checkInner(schema: typeof inner): void {
  equal(z.safeParse(schema, { theirs: "ab", small: [1], label, more: 1 }).data?.theirs, "ab");
  const { error } = z.safeParse(schema, { theirs: "a", small: ["1"], label: {} });
  ok(error instanceof z.core.$ZodError);
  equal(
    error.issues.map(({ path }) => path.join(".")),
    ["theirs", "small.0", "label.id", "label.name"],
  );
}
checkInner(inner);
checkInner(z.compile(inner));
// After many records, our packages compile their schemas.
Promise.resolve(countRecords(MANY_RECORDS)).then(
  () => {
    ok(compiled(inner) !== inner);
    checkInner(compiled(inner));
  },
  (error: unknown) => {
    throw error;
  },
);

// Codecs run in both directions, and an asynchronous rule of the user in a schema of ours is awaited.
const both = z.object({ paid: Paid });
const decoded = z.decode(both, { paid: { amount: 3, code: "canary" } });
equal(decoded.paid.amount, 3n);
equal(decoded.paid.code.reveal(), "canary");
equal(z.encode(both, z.decode(both, { paid })), { paid });
const slow = record({ id: z.string().refine((id) => Promise.resolve(id !== "taken")) });
z.safeParseAsync(slow, { id: "taken" }).then(
  ({ success }) => equal(success, false),
  (error: unknown) => {
    throw error;
  },
);

// Classes, changes of a schema, metadata and settings.
ok(Label instanceof z.core.$ZodType && Label instanceof mini.ZodMiniObject);
ok(Event instanceof z.core.$ZodType && !(Label instanceof z.core.$ZodString));
equal(mini.parse(mini.pick(Label, { name: true }), { name: "a" }), { name: "a" });
equal(mini.parse(mini.extend(Label, { x: z.number() }), { ...label, x: 1 }), { ...label, x: 1 });
equal(mini.parse(mini.partial(Label), {}), {});
const named = Label.register(z.globalRegistry, { title: "A label" });
equal(z.globalRegistry.get(named)?.title, "A label");
z.config({ customError: () => "a text of the user" });
equal(z.safeParse(Label, { id: label.id }).error?.issues[0]?.message, "a text of the user");
z.config({ customError: undefined });

// JSON Schema.
const document = z.toJSONSchema(z.object({ x: Label, list: z.array(Paid) }), {
  io: "input",
  unrepresentable: "any",
});
const { x, list } = document.properties as Record<string, z.core.JSONSchema.JSONSchema>;
equal(x?.title, "A label");
equal(Object.keys(x?.properties ?? {}), ["id", "name"]);
equal(x?.required, ["id", "name"]);
equal(list?.type, "array");
