import { locations as samples } from "@fieldmesh/ledger-client/samples";
import { OUTSIDE_BLOCKS, transactionHash } from "./transactions.ts";
import { respondWithPage } from "./paging.ts";
import { ledgerError } from "./errors.ts";
import type { LedgerResource } from "./resource.ts";

/** One value of each form, and one beyond 2^53. */
const VARIABLES: Readonly<Record<string, unknown>> = {
  monthly_reward: 500_000_000_000_000,
  max_supply_bones: 22_300_000_000_000_001n,
  poc_v4_exclusion_cells: 8,
  poc_typo_fixes: true,
  chain_vars_version: "2.1",
  regulatory_regions: ["us915", "eu868"],
  staking_fee_txn_add_gateway_v1: { base: 4_000_000 },
};
const CHANGES = 30;
const BLOCKS_A_CHANGE = 10_000;

export const vars: LedgerResource<"vars"> = (state) => ({
  list: () => ({ data: { ...VARIABLES } }),
  get: ({ name }) =>
    Object.hasOwn(VARIABLES, name) ? { data: VARIABLES[name] } : ledgerError(404),
  activity: (_, call) =>
    respondWithPage(state, call, {
      open: () => ({
        length: Math.min(CHANGES, Math.ceil(state.height / BLOCKS_A_CHANGE)),
        item: (index) => {
          const height = state.height - index * BLOCKS_A_CHANGE;
          return {
            type: "vars_v1",
            hash: transactionHash(state, height, OUTSIDE_BLOCKS),
            height,
            time: state.chain.timeOf(height),
            fee: 0,
            vars: { monthly_reward: "NTAwMDAwMDAwMDAwMDAw" },
          };
        },
      }),
    }),
});

/** Implements the locations. All valid cells are in the street of the example. */
export const locations: LedgerResource<"locations"> = () => ({
  get: ({ location }) =>
    /^8[0-9a-f]{14}$/.test(location)
      ? { data: { ...samples.get.output.data, location } }
      : ledgerError(404),
});
