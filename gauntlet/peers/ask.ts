import { inspect } from "node:util";
import { KEY, showsKey } from "../run/canary.ts";
import { createChance, type Chance } from "../parts/chance.ts";
import { growthOf } from "../run/memory.ts";
import type { Family, Row, World } from "../parts/row.ts";
import { clients, OURS, type Request } from "./clients.ts";

/** What can go wrong, in the words of the table. */
export const PROBLEMS = {
  late: "does not end",
  repeated: "repeats a POST that may have had an effect",
  stray: "sends the key to another host",
  memory: "fills the memory",
  fooled: "accepts an incomplete response",
  gaveUp: "fails although a retry would succeed",
  mute: "error does not say what happened",
  shown: "key in the error",
} as const;

export type Problem = keyof typeof PROBLEMS;

/** The result of one row with one client. */
export interface Verdict {
  readonly client: string;
  readonly family: string;
  readonly fault: string;
  readonly method: Request["method"];
  /** The questions that the row asks. */
  readonly asked: readonly Problem[];
  readonly problems: readonly Problem[];
  /** It returned a response where our client rejects, without a problem. */
  readonly further: boolean;
}

const DEADLINE = 8_000;
const TIMEOUT = 1_000;
// Most of the time is spent in waits.
const AT_ONCE = 32;
// The depth to which a logger prints an error. Some errors contain the whole connection.
const LEVELS = 4;

/** Runs every row that applies to all clients with every client. */
export async function askPeers(families: readonly Family[], chance: Chance): Promise<Verdict[]> {
  const questions = families.flatMap(({ title, rows }) =>
    rows.filter(appliesToAll).flatMap((row) =>
      (["GET", "POST"] as const).flatMap((method) => {
        const right = requestEnd(method === "GET" ? row.get : row.post);
        if (right === undefined) return [];
        return Object.keys(clients).map((client) => ({ title, row, method, right, client }));
      }),
    ),
  );
  const verdicts: Verdict[] = [];
  const queue = questions.filter(({ row }) => row.heavy !== true);
  console.error(`${queue.length} calls`);
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      verdicts.push(...(await ask(next, chance.int(0, 2 ** 31))));
  };
  // A client may cause an unhandled error. Only the result of the call counts.
  const ignore = () => undefined;
  process.on("unhandledRejection", ignore).on("uncaughtException", ignore);
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // One at a time, because memory is measured. A POST would have the same result.
    const heavy = questions.filter(({ row, method }) => row.heavy === true && method === "GET");
    for (const [index, each] of heavy.entries()) {
      if (index % 20 === 0) console.error(`${index} of ${heavy.length} bombs and endless bodies`);
      verdicts.push(...(await ask(each, chance.int(0, 2 ** 31))));
    }
  } finally {
    // An error of ours must end the program.
    process.off("unhandledRejection", ignore).off("uncaughtException", ignore);
  }
  return verdicts;
}

/** Leaves out rows about options, hooks and connections of our client, and those of nginx and haproxy, which other rows cover. */
function appliesToAll({ options, warm, nodeOnly, needs }: Row): boolean {
  const names = typeof options === "object" ? Object.keys(options) : [];
  const isPlain = names.every((name) => ["timeout", "allowInsecureHttp"].includes(name));
  return (
    typeof options !== "function" &&
    isPlain &&
    warm !== true &&
    nodeOnly !== true &&
    needs === undefined
  );
}

function requestEnd(expected: Row["get"]): string | undefined {
  return typeof expected === "object" ? expected.request : expected;
}

/** One row with one client, and the required result of our client. */
interface Question {
  readonly title: string;
  readonly row: Row;
  readonly method: Request["method"];
  readonly right: string;
  readonly client: string;
}

async function ask(question: Question, seed: number): Promise<Verdict[]> {
  const { row, method, client } = question;
  const ended = new AbortController();
  const context = { chance: createChance(seed), abort: () => undefined, ended: ended.signal };
  await row.prepare?.();
  const world = await row.world(context);
  try {
    // Each client accepts the certificate authority of the row in another way.
    if (world.fetch !== undefined) return [];
    const { timeout = TIMEOUT } = (row.options ?? {}) as { timeout?: number };
    const send = () => settle(client, { method, origin: world.url, timeout });
    const { result, grew } =
      row.heavy === true ? await growthOf(send) : { result: await send(), grew: false };
    ended.abort();
    return [judge(question, world, result, grew)];
  } finally {
    await world[Symbol.asyncDispose]();
  }
}

/** The result of a call. */
type End = "late" | { readonly value: unknown } | { readonly error: unknown };

/** Returns the problems that the row checks for. */
function judge(
  { title, row, method, right, client }: Question,
  world: World,
  end: End,
  grew: boolean,
): Verdict {
  const isOk = end !== "late" && "value" in end;
  const error = end !== "late" && "error" in end ? end : undefined;
  const answers: Partial<Record<Problem, boolean>> = {
    late: end === "late",
    ...(method === "POST" && right.includes("unknown") && { repeated: (world.posts?.() ?? 0) > 1 }),
    ...(world.strayKeys !== undefined && { stray: world.strayKeys() > 0 }),
    ...(row.heavy === true && { memory: grew }),
    ...(/^(Connection|Timeout)Error/.test(right) && { fooled: isOk }),
    ...(right.startsWith("ok") && { gaveUp: !isOk }),
    ...(error && { mute: !tells(error.error, right), shown: showsKey(error.error, LEVELS) }),
  };
  const asked = Object.keys(answers) as Problem[];
  const problems = asked.filter((each) => answers[each] === true);
  const further =
    client !== OURS && right.startsWith("ApiError 3") && isOk && problems.length === 0;
  return { client, family: title, fault: row.fault, method, asked, problems, further };
}

async function settle(client: string, request: Request): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, DEADLINE, "late");
  });
  const call = async () => ({ value: await clients[client]?.(request) });
  const end = await Promise.race([call().catch((error: unknown) => ({ error })), late]);
  clearTimeout(timer);
  return end;
}

/** Returns the status of a response, or a word for a timeout or a broken connection that the printed error contains. */
function tells(error: unknown, right: string): boolean {
  const shown = inspect(error, { depth: LEVELS }).replaceAll(KEY, "");
  const status = /^ApiError (\d+)/.exec(right)?.[1];
  if (status !== undefined) return shown.includes(status);
  if (right.startsWith("TimeoutError")) return /time-?d? ?-?out|abort/i.test(shown);
  if (right.startsWith("ConnectionError"))
    return /\b(E[A-Z]{4,}|ERR_\w+|UND_ERR_\w+|HPE_\w+|Z_\w+|CERT_\w+)\b|pars|terminat|socket|closed|json|protocol|encod|port/i.test(
      shown,
    );
  return true;
}
