// A receiver with a mirror, and the common rule in the same transactions. run-mirror.ts starts it.
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { postgresMirror } from "@fieldmesh/mirror";
import { createReceiver } from "@fieldmesh/webhook-types/receiver";
import { postgresInbox } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { dyingInbox, reach } from "../receiver/dying.ts";
import { readTask, serveInChild } from "../support/child.ts";
import { withCommonRule } from "./common-rule.ts";
import type { MirrorTask } from "./task.ts";

const { secret, database } = readTask() as MirrorTask;
const pool = new pg.Pool({
  connectionString: database,
  max: 10,
  connectionTimeoutMillis: 5_000,
});
// The query that uses a broken connection reports it.
pool.on("error", () => {});
const receive = createReceiver({
  secret,
  store: dyingInbox(postgresInbox(pool)),
  order: withCommonRule(postgresMirror(pool)),
  // Failures are expected here: the sender retries.
  onError: () => {},
  handlers: {
    "plan.*": () => {
      reach("in the handler");
      reach("after its effect");
    },
  },
});
const handle = toNodeHandler(receive);
await serveInChild((req, res) => void handle(req, res));
