import type { Command, Option } from "../command.ts";

const options: readonly Option[] = [
  {
    name: "url-file",
    value: "file",
    description:
      "a file whose first line is the connection string, postgres://… or sqlite:path (default: FIELDMESH_MIRROR_URL)",
  },
  {
    name: "personal",
    value: "fields",
    description:
      "the personal fields that your mirror stores, with commas between them, such as sim.msisdn",
  },
  {
    name: "undeclared",
    value: "fields",
    description:
      "the fields that your mirror stores although their name is that of something personal or secret, such as sim.full_name",
  },
  {
    name: "tenant",
    value: "tenant",
    description: "compare the rows of a tenant (default: those without one)",
  },
];
const WHILE =
  "It reads all stored events of the mobile service, and may run while deliveries arrive.";

export const mirrorCommands: readonly Command[] = [
  {
    path: "mirror verify",
    summary: "Compare a mirror with the events that the service has stored",
    description: `Reports rows that differ, are missing, or are in doubt, and objects that it does not compare because the date of an event was ahead. Exits with 4 if a row differs or is missing, and with 1 if the service lists no event although the mirror has rows. ${WHILE}`,
    options,
    examples: [
      { line: "mirror verify", does: "Compare the mirror of FIELDMESH_MIRROR_URL" },
      {
        line: "mirror verify --url-file /run/secrets/mirror --json",
        does: "Print what is wrong as one object",
      },
    ],
    calls: "mobile",
    load: async () => ({ run: (await import("./compare-mirror.ts")).runVerify }),
  },
  {
    path: "mirror repair",
    summary: "Write the rows of a mirror that differ or are missing",
    description: `Shows the rows, and asks. Leaves a row alone if it changes meanwhile, deletes none, and replaces no state by an older one. Exits with 4 if a row was left alone. ${WHILE}`,
    options,
    needsYes: true,
    examples: [
      { line: "mirror repair --personal sim.msisdn", does: "Repair, or fill, a mirror" },
      { line: "mirror repair --yes", does: "Repair without asking" },
    ],
    calls: "mobile",
    load: async () => ({ run: (await import("./compare-mirror.ts")).runRepair }),
  },
];
