import { nearest } from "../nearest.ts";

/** Options that other programs, or other commands of this one, name differently. */
const OPTIONS: readonly (readonly string[])[] = [
  ["input", "file", "from", "in", "data", "body", "json-file", "path", "f", "i"],
  ["out", "output", "file", "to-file", "save", "write-mapping", "o"],
  ["type", "types", "event", "event-type", "events", "t"],
  ["id", "device", "device-id", "dev-eui", "eui", "uuid"],
  ["name", "device-name", "title"],
  ["address", "account", "wallet", "accounts"],
  ["label", "labels", "label-id", "label-name", "tag", "l"],
  ["limit", "count", "max", "max-items", "top", "first", "number", "n"],
  ["columns", "fields", "select", "cols"],
  ["min-time", "since", "start", "after", "begin", "from"],
  ["max-time", "until", "end", "before"],
  ["yes", "force", "no-confirm", "assume-yes", "y"],
  ["json", "ndjson", "output-json", "raw", "j"],
  ["quiet", "silent", "q"],
  ["reveal", "show-secrets", "secrets", "show-keys", "unmask"],
  ["profile", "env", "environment", "context", "p"],
  ["sandbox", "dry-run", "simulate", "trial"],
  ["url", "base-url", "server", "host", "endpoint", "u"],
  ["sandbox-url", "url", "sandbox-address"],
  ["to", "forward-to", "url", "target", "receiver"],
  ["secret-file", "secret", "signing-secret", "key-file"],
  ["key-stdin", "key", "api-key", "key-file", "token"],
  ["passphrase-file", "passphrase", "password", "password-file"],
  ["encrypt", "encrypted", "keys"],
  ["clear", "plain", "no-encrypt", "unencrypted"],
  ["mapping", "map", "config"],
  ["if-exists", "skip-existing", "ignore-existing", "upsert"],
  ["create-labels", "create-label"],
  ["lanes", "concurrency", "parallel", "workers", "threads"],
  ["forward-to", "to"],
  ["at", "time", "now"],
  ["checkpoint", "resume", "state"],
];

/** Words of commands that other programs name differently. */
const WORDS: readonly (readonly string[])[] = [
  ["get", "show", "view", "describe", "read", "info", "inspect", "find", "list", "ls", "all"],
  ["create", "add", "new", "make", "set"],
  ["delete", "remove", "rm", "destroy", "del"],
  ["export", "dump", "download", "backup"],
  ["import", "load", "upload"],
  ["activate", "enable"],
  ["deactivate", "disable"],
  ["follow", "tail", "watch", "stream", "logs"],
  ["doctor", "check", "status", "ping", "diagnose", "whoami"],
  ["trigger", "emit", "fire"],
  ["send", "post"],
  ["replay", "redeliver", "retry", "resend"],
  ["explain", "why"],
  ["completion", "complete", "autocomplete"],
  ["plan", "diff", "move", "migrate"],
  ["apply", "move", "migrate"],
  ["verify", "validate"],
  ["subscribers", "users", "customers"],
  ["profile", "login", "config"],
];

/** Returns the options of a command that were probably meant by another name. */
export function suggestOptions(typed: string, options: readonly string[]): readonly string[] {
  const groups = OPTIONS.filter((group) => group.includes(typed));
  const found = options.filter((option) => groups.some((group) => group.includes(option)));
  const near = nearest(typed, options);
  const begun = options.filter((option) => typed.length > 1 && option.startsWith(typed));
  return [...new Set([...begun, ...(near === undefined ? [] : [near]), ...found])];
}

/** A part of a command that was not typed costs less than a word that is only similar. */
const COSTS = { similar: 1, begun: 0.9, renamed: 0.5, missing: 0.6, group: 0.3 };
const MOST = 3;

/**
 * Returns the commands, or groups of commands, that were probably meant, at most three: words may be similar, renamed, in another
 * order or missing. Words after the command may be its arguments. `group` is the part that is right.
 */
export function suggestCommands(
  typed: readonly string[],
  group: string,
  paths: readonly string[],
): readonly string[] {
  const groups = paths.flatMap((path) => {
    const words = path.split(" ");
    return words.slice(0, -1).map((_, at) => words.slice(0, at + 1).join(" "));
  });
  const all = [
    ...paths.map((path) => ({ path, more: 0 })),
    ...[...new Set(groups)].map((path) => ({ path, more: COSTS.group })),
  ].filter(({ path }) => path !== group);
  for (let length = typed.length; length > 0; length--) {
    const costs = all.flatMap(({ path, more }) => {
      const cost = costOf(typed.slice(0, length), path.split(" "));
      return cost === undefined ? [] : [{ path, cost: cost + more }];
    });
    const least = Math.min(...costs.map(({ cost }) => cost));
    const best = costs.filter(({ cost }) => cost === least);
    if (best.length > 0) return best.slice(0, MOST).map(({ path }) => path);
    const line = nearestLine(typed.slice(0, length), paths);
    if (line.length > 0) return line;
  }
  return [];
}

/** A mistake that is too much for a short word is not for a line. The service may be missing. */
function nearestLine(typed: readonly string[], paths: readonly string[]): readonly string[] {
  const known = new Map(
    paths.flatMap((path) => [
      [path, path],
      [path.slice(path.indexOf(" ") + 1), path],
    ]),
  );
  const found = nearest(typed.join(" "), known.keys());
  return found === undefined ? [] : [known.get(found) ?? found];
}

/** Returns how far typed words are from a command; `undefined` if one of them is none of its words. */
function costOf(typed: readonly string[], words: readonly string[]): number | undefined {
  const left = new Set(words);
  let cost = 0;
  for (const word of typed) {
    const found = matchOf(word, [...left]);
    if (found === undefined) return undefined;
    left.delete(found.word);
    cost += found.cost;
  }
  return cost + left.size * COSTS.missing;
}

function matchOf(typed: string, words: readonly string[]) {
  const costing = (cost: number, word: string | undefined) =>
    word === undefined ? undefined : { word, cost };
  const isRenamed = (word: string): boolean =>
    WORDS.some((group) => group.includes(typed) && group.includes(word));
  return (
    costing(0, words.includes(typed) ? typed : undefined) ??
    costing(COSTS.renamed, words.find(isRenamed)) ??
    costing(
      COSTS.begun,
      words.find((word) => typed.length > 2 && word.startsWith(typed)),
    ) ??
    costing(COSTS.similar, nearest(typed, words))
  );
}
