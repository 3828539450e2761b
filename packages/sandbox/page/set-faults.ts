import type { FaultsView } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";

/** Replaces the faults of the sandbox; `null` switches them off. */
export function setFaults(faults: unknown): Promise<FaultsView> {
  return call("POST /sandbox/faults", { body: { faults } });
}
