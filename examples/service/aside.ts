import { runAgain } from "@fieldmesh/webhook-types/receiver";
import { router } from "./handlers.ts";
import { inbox, order, poison } from "./storage.ts";

/** Prints the events that the receiver set aside, without their payloads. */
export async function listAside(): Promise<void> {
  const events = await poison.store.list();
  console.table(
    events.map(({ id, type, attempts, error, setAsideAt }) => ({
      id,
      type,
      attempts,
      error,
      setAsideAt,
    })),
  );
}

/** Runs them again. One that succeeds leaves the list. */
export async function runAside(): Promise<void> {
  for (const { id, type } of await poison.store.list()) {
    const { outcome } = await runAgain(id, { router, store: inbox, order, poison });
    console.log(`${type}  ${id}  ${outcome}`);
    if (outcome === "failed") process.exitCode = 1;
  }
}
