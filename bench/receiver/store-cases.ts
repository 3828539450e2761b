// What measure-stores.ts compares: receivers with each store, and the least that a database has to do for a delivery.
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { createReceiver, type ReceiverOptions } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import {
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
} from "@fieldmesh/webhook-types/stores";
import type pg from "pg";

export interface Delivery {
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Handle = (delivery: Delivery) => unknown;

/** The case that all others are compared with. */
export const FLOOR = "BEGIN, INSERT, COMMIT";
export const FLOOR_TABLE = "floor_events";
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The signed deliveries of new events, each of an object of its own. */
export async function newDeliveries(count: number): Promise<Delivery[]> {
  const deliver = async (): Promise<Delivery> => {
    const id = `evt_${crypto.randomUUID()}`;
    const data = { object: { id: `sim_${crypto.randomUUID()}` } };
    const event = stringifyJson(sampleEvent("sim.activated", { id, data }), { reveal: true });
    // A flat string, as a socket delivers it.
    const body = Buffer.from(event).toString();
    return { id, body, headers: { ...(await sign({ secret, body })) } };
  };
  return await Promise.all(Array.from({ length: count }, deliver));
}

type Stores = Pick<ReceiverOptions, "store" | "order" | "poison">;

/** Returns a function that handles deliveries like a server, without its sockets. */
export function handleWith(stores: Stores): Handle {
  const { receive } = createReceiver({
    secret,
    handlers: { "sim.activated": () => undefined },
    ...stores,
  });
  return async ({ body, headers }) => {
    const { status } = await receive({ method: "POST", headers, body });
    if (status !== 200) throw new Error(`A delivery had the status ${status}.`);
  };
}

export const cases = {
  [FLOOR]:
    (pool) =>
    async ({ id }) => {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query(`INSERT INTO ${FLOOR_TABLE} VALUES ($1)`, [id]);
      await client.query("COMMIT");
      client.release();
    },
  "INSERT of all in progress": insertTogether,
  inbox: (pool) => handleWith({ store: postgresInbox(pool) }),
  "inbox, order": (pool) => handleWith({ store: postgresInbox(pool), order: postgresOrder(pool) }),
  "inbox, order, poison": (pool) =>
    handleWith({
      store: postgresInbox(pool),
      order: postgresOrder(pool),
      poison: { store: postgresPoison(pool), attempts: 5 },
    }),
  "lease store": (pool) => handleWith({ store: postgresStore(pool) }),
  "lease store, order": (pool) =>
    handleWith({ store: postgresStore(pool), order: postgresOrder(pool) }),
} satisfies Readonly<Record<string, (pool: pg.Pool) => Handle>>;

/** Returns a function that inserts the rows of all deliveries which are in progress with one statement. */
function insertTogether(pool: pg.Pool): Handle {
  let waiting: { ids: string[]; inserted: Promise<unknown> } | undefined;
  const insert = async (ids: readonly string[]): Promise<void> => {
    // The others of the batch come before this continues.
    await new Promise(setImmediate);
    waiting = undefined;
    await pool.query(`INSERT INTO ${FLOOR_TABLE} SELECT unnest($1::text[])`, [ids]);
  };
  return ({ id }) => {
    if (waiting === undefined) {
      const ids: string[] = [];
      waiting = { ids, inserted: insert(ids) };
    }
    waiting.ids.push(id);
    return waiting.inserted;
  };
}
