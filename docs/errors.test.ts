import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CallError } from "@fieldmesh/console-client";
import type {
  CheckpointError,
  CreateResult,
  FailedResult,
  Outcome,
} from "@fieldmesh/console-client";
import type { ForwardReport } from "@fieldmesh/mapper-client";
import { createVerifier, WebhookVerificationError } from "@fieldmesh/webhook-types";
import type { VerificationReason } from "@fieldmesh/webhook-types";
import type { DeliveryReport } from "@fieldmesh/webhook-types/receiver";
import { describe, expect, test } from "vitest";
import { names, packages, publicEntries } from "../tools/packages.ts";

const folder = join(import.meta.dirname, "errors");
const index = read("index");

/** A value for each member of a union: a new member does not compile until it is here, and fails below until the pages have it. */
type Every<Name extends string, Value = true> = Readonly<Record<Name, Value>>;

const outcomes: Every<Outcome> = { not_sent: true, rejected: true, unknown: true, applied: true };
const reasons: Every<VerificationReason> = {
  header_missing: true,
  header_malformed: true,
  signature_mismatch: true,
  timestamp_too_old: true,
  timestamp_too_new: true,
};
const checkpointReasons: Every<CheckpointError["reason"]> = {
  invalid: true,
  damaged: true,
  other_method: true,
  other_server: true,
  other_organization: true,
  other_input: true,
  no_organization: true,
};
/** With the status of the response. */
const deliveries: Every<DeliveryReport["outcome"], number> = {
  handled: 200,
  duplicate: 200,
  superseded: 200,
  set_aside: 200,
  in_progress: 503,
  failed: 500,
  not_set_aside: 500,
  lease_lost: 503,
  store_failed: 503,
  stored: 200,
  queue_failed: 503,
  too_old: 400,
  not_post: 405,
  too_large: 413,
  unreadable: 500,
  incomplete: 400,
  not_verified: 401,
  not_parsed: 400,
  wrong_livemode: 400,
};
const devices: Every<CreateResult["status"] | FailedResult["reason"] | "done"> = {
  created: true,
  skipped: true,
  done: true,
  failed: true,
  invalid: true,
  duplicate: true,
  conflicting: true,
  rejected: true,
  unknown: true,
};
const uplinks: Every<ForwardReport["outcome"]> = {
  forwarded: true,
  not_an_uplink: true,
  left_out: true,
  rejected: true,
  unknown: true,
  not_sent: true,
};

/** The error classes that the packages export. */
async function classes(): Promise<Map<string, typeof Error>> {
  const found = new Map<string, typeof Error>();
  for (const { folder: home, manifest } of packages)
    for (const [, source] of publicEntries(manifest)) {
      if (!source.endsWith(".ts")) continue;
      const module = (await import(join(home, source))) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(module))
        if (typeof value === "function" && value.prototype instanceof Error)
          found.set(name, value as typeof Error);
    }
  return found;
}

/** The pages with a section for each word. */
const words = { outcomes, deliveries, devices, uplinks } as const;

test("every error class and reason has a page, every outcome a section, and nothing is left over", async () => {
  const expected = [
    "index",
    ...(await classes()).keys(),
    ...Object.keys(reasons),
    ...Object.keys(words),
  ];
  expect(pages().sort()).toEqual(expected.sort());
  for (const [page, known] of Object.entries(words))
    expect([...sections(page).keys()].sort()).toEqual(Object.keys(known).sort());
});

test.for(pages())("%s says what to do, and is in the index", (page) => {
  if (page === "index") return;
  if (!(page in words)) {
    expect(read(page)).toMatch(/^## What to do\n\n\S/m);
    expect(index).toContain(`](./${page}.md)`);
  }
  for (const [word, section] of page in words ? sections(page) : []) {
    expect(section).toMatch(/^What to do:\s+\S/m);
    // VitePress makes anchors so.
    expect(index).toContain(`](./${page}.md#${word.replaceAll("_", "-")})`);
  }
});

test.for(Object.entries(deliveries))("the section of %s names the status %i", ([name, status]) => {
  expect(sections("deliveries").get(name)).toContain(`- **Response**: ${status}`);
});

test("only an error with the field outcome has one on its page", async () => {
  const all = await classes();
  const wrong = pages().filter((page) => {
    const hasOutcome = /^- \*\*Outcome\*\*: .*\]\(\.\/(outcomes|index)\.md/m.test(read(page));
    const prototype = all.get(page)?.prototype;
    return hasOutcome && !(prototype instanceof CallError) && page !== "CallError";
  });
  expect(wrong).toEqual([]);
});

test("the page of CheckpointError names every reason", () => {
  const named = [...read("CheckpointError").matchAll(/^\| `(\w+)` \| [A-Z]/gm)];
  expect(named.map(([, reason]) => reason)).toEqual(Object.keys(checkpointReasons));
});

describe("error.docs", () => {
  test("is the page of the class", async () => {
    for (const [name, { prototype }] of await classes()) {
      const docs = "docs" in prototype ? prototype.docs : undefined;
      // Of what is not a FieldmeshError, and of the error whose page is that of its reason.
      if (
        ["JsonSyntaxError", "CommandError", "ProofError", "WebhookVerificationError"].includes(name)
      )
        continue;
      expect(docs).toBe(`${names.site}errors/${name}.html`);
    }
  });

  test("is the page of the reason of a webhook that is not verified", async () => {
    const verify = createVerifier({ secret: "whsec_test_secret_only" });
    const error: unknown = await verify({ body: "{}", headers: {} }).catch((each: unknown) => each);
    if (!(error instanceof WebhookVerificationError)) throw error;
    expect(error.docs).toBe(`${names.site}errors/header_missing.html`);
  });
});

function pages(): string[] {
  return readdirSync(folder).map((path) => path.replace(/\.md$/, ""));
}

/** The sections of a page whose headings are words of the code. */
function sections(page: string): ReadonlyMap<string, string> {
  const found = read(page).matchAll(/^## `(\w+)`\n([^]*?)(?=^## )/gm);
  return new Map([...found].map(([, word = "", section = ""]) => [word, section]));
}

function read(page: string): string {
  return readFileSync(join(folder, `${page}.md`), "utf8");
}
