/** What the functions of orval put before each path. */
export const addresses = { console: "", ledger: "", mapper: "", mobile: "" };
