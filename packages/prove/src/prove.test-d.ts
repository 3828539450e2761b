import { DatabaseSync } from "node:sqlite";
import { Pool } from "pg";
import { expectTypeOf, test } from "vitest";
import {
  type ProofError,
  proveJob,
  type JobPlan,
  type JobWorld,
  type Plan,
  type World,
} from "./index.ts";

test("a wrapped database has the type of the database", () => {
  const world = {} as World;
  expectTypeOf(world.database(new DatabaseSync(":memory:"))).toEqualTypeOf<DatabaseSync>();
  expectTypeOf(world.database(new Pool())).toEqualTypeOf<Pool>();
  // @ts-expect-error -- an address is not a database
  world.database("postgres://127.0.0.1");
});

test("the rules of a job see the type of its report", () => {
  void proveJob(async (world: JobWorld) => ({ done: Number(await world.checkpoint.load()) }), {
    rules: {
      done: ({ report }) => {
        expectTypeOf(report).toEqualTypeOf<{ done: number }>();
      },
    },
  });
});

test("the plan of an error is that of a receiver, if nothing else is said", () => {
  expectTypeOf<ProofError["plan"]>().toEqualTypeOf<Plan>();
  expectTypeOf<ProofError<JobPlan>["plan"]>().toEqualTypeOf<JobPlan>();
});
