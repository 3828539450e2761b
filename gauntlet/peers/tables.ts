import type { ResultTable } from "../../tools/results.ts";
import { escape } from "../run/markdown.ts";
import { clients, OURS, versionOf } from "./clients.ts";
import { PROBLEMS, type Problem, type Verdict } from "./ask.ts";

/** The results of the clients, and where one of them does better than ours. */
export function peerTables(verdicts: readonly Verdict[]): ResultTable[] {
  return [peerTable(verdicts), betterTable(verdicts)];
}

const ALL = Object.keys(PROBLEMS) as Problem[];

/** Writes a table with a row for each client and a column for each problem: how often it occurred, and how often it was checked. */
function peerTable(verdicts: readonly Verdict[]): ResultTable {
  const rows = Object.keys(clients).map((client) => {
    const own = verdicts.filter((each) => each.client === client);
    const cells = ALL.map((problem) => {
      const asked = own.filter((each) => each.asked.includes(problem));
      const wrong = asked.filter((each) => each.problems.includes(problem));
      return `${wrong.length} of ${asked.length}`;
    });
    return [client === OURS ? client : `${client} ${versionOf(client)}`, ...cells];
  });
  return {
    of: "How many of the relevant rows went wrong.",
    head: ["client", ...ALL.map((problem) => PROBLEMS[problem])],
    rows,
  };
}

/** Writes the rows in which another client does better than ours: without a problem that ours has, or with a response where ours rejects. */
function betterTable(verdicts: readonly Verdict[]): ResultTable {
  const keyOf = ({ family, fault, method }: Verdict) => `${family}: ${fault}, ${method}`;
  const ours = new Map(
    verdicts.filter(({ client }) => client === OURS).map((each) => [keyOf(each), each]),
  );
  const better = verdicts.flatMap((each) => {
    const own = ours.get(keyOf(each));
    if (own === undefined || each === own) return [];
    const whys = each.further
      ? ["it returns a response, and the key goes nowhere else"]
      : own.problems
          .filter((problem) => each.asked.includes(problem) && !each.problems.includes(problem))
          .map((problem) => `ours ${PROBLEMS[problem]}`);
    return whys.map((why) => ({ ...each, row: `${each.family}: ${each.fault}`, why }));
  });
  // A GET and a POST share a row if the same clients do better.
  const rows = [...Map.groupBy(better, ({ row, why }) => JSON.stringify([row, why])).values()];
  return {
    of: "Where another client does better.",
    head: ["row", "calls", "why", "clients"],
    rows: rows.flatMap((same) => {
      const { row, why } = same[0]!;
      const namesOf = (method: string) =>
        [...new Set(same.filter((each) => each.method === method).map(({ client }) => client))]
          .sort()
          .join(", ");
      const byClients = Map.groupBy(["GET", "POST"], namesOf);
      return [...byClients]
        .filter(([names]) => names !== "")
        .map(([names, methods]) => [escape(row), methods.join(", "), escape(why), names]);
    }),
  };
}
