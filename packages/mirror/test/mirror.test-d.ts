import type { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { expectTypeOf, test } from "vitest";
import type { Clock } from "@fieldmesh/core";
import {
  type Mirror,
  type MirrorFinding,
  type MirrorReport,
  postgresMirror,
  sqliteMirror,
  type VerifyOptions,
} from "../src/index.ts";
import type { InboxOrder } from "@fieldmesh/webhook-types/receiver";

test("a mirror is an order, in every database", () => {
  const create = (pool: pg.Pool, file: DatabaseSync): Mirror[] => [
    postgresMirror(pool),
    postgresMirror(pool, { personal: ["sim.msisdn", "address.*"] }),
    sqliteMirror(file, { personal: undefined }),
  ];
  expectTypeOf(create).returns.items.toExtend<InboxOrder>();
});

test("verify has the clock of the receiver, and names the objects with a wrong date", () => {
  expectTypeOf<MirrorReport["wrongDates"]>().toEqualTypeOf<readonly MirrorFinding[]>();
  expectTypeOf<VerifyOptions["clock"]>().toEqualTypeOf<Clock | undefined>();
});

test("only fields that are marked as personal can be named", () => {
  const name = (file: DatabaseSync) => [
    // @ts-expect-error -- misspelled
    sqliteMirror(file, { personal: ["sim.msidn"] }),
    // @ts-expect-error -- a signed link is never stored
    sqliteMirror(file, { personal: ["invoice.document_url"] }),
  ];
  expectTypeOf(name).toBeFunction();
});
