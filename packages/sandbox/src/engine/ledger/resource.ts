import type * as tables from "@fieldmesh/ledger-client/endpoints";
import type { CompleteImplementation } from "../serve/serve.ts";
import type { LedgerState } from "./ledger-state.ts";

export type LedgerResource<Name extends keyof typeof tables> = (
  state: LedgerState,
) => CompleteImplementation<typeof tables>[Name];
