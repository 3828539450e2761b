import type { Resource } from "./resource.ts";

/** The organization that the key belongs to. */
export const organization: Resource<"organization"> = ({ organization: record, deployment }) => ({
  list: () => {
    const { id, name, dc_balance } = record;
    const short = { dc_balance, id, name };
    return deployment.organization === "list" ? [short] : short;
  },
});
