import type * as tables from "@fieldmesh/ledger-client/endpoints";
import type { CompleteImplementation } from "../serve/serve.ts";
import type { LedgerState } from "./ledger-state.ts";

/** The tables of the ledger. */
export type LedgerTables = typeof tables;

/** The implementation of one resource of the ledger. */
export type LedgerResource<Name extends keyof LedgerTables> = (
  state: LedgerState,
) => CompleteImplementation<LedgerTables>[Name];
