import { markdownTable } from "markdown-table";
import { escape } from "../run/markdown.ts";
import { clients, OURS, versionOf } from "./clients.ts";
import { PROBLEMS, type Problem, type Verdict } from "./ask.ts";

/** The results of the clients, and where one of them does better than ours. */
export function peerLines(verdicts: readonly Verdict[]): string[] {
  const better = betterPeers(verdicts).map(({ row, why, clients: names }) => [
    escape(row),
    escape(why),
    names.join(", "),
  ]);
  return [
    markdownTable(peerTable(verdicts)),
    "### Where another client does better",
    better.length === 0 ? "In no row." : markdownTable([["row", "why", "clients"], ...better]),
  ];
}

const ALL = Object.keys(PROBLEMS) as Problem[];

/** Writes a table with a row for each client and a column for each problem: how often it occurred, and how often it was checked. */
function peerTable(verdicts: readonly Verdict[]): string[][] {
  const rows = Object.keys(clients).map((client) => {
    const own = verdicts.filter((each) => each.client === client);
    const cells = ALL.map((problem) => {
      const asked = own.filter((each) => each.asked.includes(problem));
      const wrong = asked.filter((each) => each.problems.includes(problem));
      return `${wrong.length} of ${asked.length}`;
    });
    return [client === OURS ? client : `${client} ${versionOf(client)}`, ...cells];
  });
  return [["client", ...ALL.map((problem) => PROBLEMS[problem])], ...rows];
}

/** Returns the rows in which another client does better than ours: without a problem that ours has, or with a response where ours rejects. */
function betterPeers(
  verdicts: readonly Verdict[],
): { row: string; why: string; clients: string[] }[] {
  const keyOf = ({ family, fault, method }: Verdict) => `${family}: ${fault}, ${method}`;
  const ours = new Map(
    verdicts.filter(({ client }) => client === OURS).map((each) => [keyOf(each), each]),
  );
  const better = new Map<string, { row: string; why: string; clients: string[] }>();
  for (const each of verdicts) {
    const own = ours.get(keyOf(each));
    if (own === undefined || each === own) continue;
    const whys = each.further
      ? ["it returns a response, and the key goes nowhere else"]
      : own.problems
          .filter((problem) => each.asked.includes(problem) && !each.problems.includes(problem))
          .map((problem) => `ours ${PROBLEMS[problem]}`);
    for (const why of whys) {
      const entry = better.get(`${keyOf(each)} ${why}`) ?? { row: keyOf(each), why, clients: [] };
      entry.clients.push(each.client);
      better.set(`${keyOf(each)} ${why}`, entry);
    }
  }
  return [...better.values()];
}
