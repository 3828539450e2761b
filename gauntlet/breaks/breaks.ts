/** A deliberate mistake in the code, which the gauntlet must notice. */
export interface Break {
  /** What the changed code does. */
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly instead: string;
  /** The value of `--only`: the rows that must fail. */
  readonly rings: string;
}

const SEND = "packages/http/src/send";
const WIRE = "packages/http/src/wire";
const PAGER = "packages/http/src/pager";
const VERIFY = "packages/webhook-types/src/verify";

/** One for each promise of the page: first those that the gauntlet once did not notice. */
export const breaks: readonly Break[] = [
  {
    name: "follows a redirect out of the path of the base URL",
    file: `${WIRE}/fetch-attempt.ts`,
    text: "    path.startsWith(prefix) &&\n",
    instead: "",
    rings: "out of the base URL /console",
  },
  {
    name: "passes no signal to fetch",
    file: `${SEND}/send-once.ts`,
    text: "const init = { method, headers, signal,",
    instead: "const init = { method, headers, signal: new AbortController().signal,",
    rings: "no response arrives",
  },
  {
    name: "retries without a budget",
    file: `${SEND}/shared.ts`,
    text: "if (tokens < COST) return false;",
    instead: "",
    rings: "always 503, for 60 calls",
  },
  {
    name: "waits for the same time in each call",
    file: `${SEND}/retry-policy.ts`,
    text: "Math.round(Math.random() * Math.min(",
    instead: "Math.round(1 * Math.min(",
    rings: "503 to 30 calls",
  },
  {
    name: "waits exactly as long as the server asks",
    file: "packages/http/src/limit/spread.ts",
    text: "return wait + Math.floor(Math.random() * most);",
    instead: "return wait + 0 * most;",
    rings: "503 with Retry-After: 1 to 30 calls",
  },
  {
    name: "lets a call last ten times its totalTimeout",
    file: `${WIRE}/deadline.ts`,
    text: "const end = clock.now() + totalTimeout;",
    instead: "const end = clock.now() + 10 * totalTimeout;",
    rings: "the whole call may last",
  },
  {
    name: "sends a new idempotency key with each attempt",
    file: `${SEND}/send-once.ts`,
    text: "let status: number | undefined;",
    instead:
      'let status: number | undefined;\n  if (headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID());',
    rings: "idempotency keys are trusted",
  },
  {
    name: "does not encode path values",
    file: `${WIRE}/url.ts`,
    text: "encodeURIComponent(String(path[name]))",
    instead: "String(path[name])",
    rings: "a path value with the characters",
  },
  {
    name: "accepts a signature with two times",
    file: `${VERIFY}/platform-scheme.ts`,
    text: "parts.every(",
    instead: "parts.some(",
    rings: "two timestamps, of which",
  },
  {
    name: "reads a response of any length",
    file: `${WIRE}/read-body.ts`,
    text: "const limit = response.ok ? maxBytes : MAX_ERROR_BYTES;",
    instead: "const limit = maxBytes > MAX_ERROR_BYTES ? Infinity : Infinity;",
    rings: "endless",
  },
  {
    name: "follows a redirect to another origin",
    file: `${WIRE}/fetch-attempt.ts`,
    text: "    next.origin === base.origin &&\n",
    instead: "",
    rings: "302 to another origin",
  },
  {
    name: "follows a redirect that sets a user name",
    file: `${WIRE}/fetch-attempt.ts`,
    text: 'next.username + next.password === ""',
    instead: 'next.href !== ""',
    rings: "with a user name and a password",
  },
  {
    name: "follows a redirect through an encoded slash",
    file: `${WIRE}/fetch-attempt.ts`,
    text: " &&\n    checkPath(path.slice(prefix.length)) === undefined",
    instead: "",
    rings: "out of the path by an encoded slash",
  },
  {
    name: "sends a POST again that may have been carried out",
    file: `${SEND}/retry-policy.ts`,
    text: "const repeatable = !isOnlyOnce(method) ||",
    instead: "const repeatable = true || !isOnlyOnce(method) ||",
    rings: "after the server has carried out the request",
  },
  {
    name: "never sends a GET again",
    file: `${SEND}/retry-policy.ts`,
    text: "if (failed >= settings.attempts)",
    instead: "if (failed >= 1)",
    rings: "503 twice, then a response",
  },
  {
    name: "ignores Retry-After",
    file: `${WIRE}/hint.ts`,
    text: "return Number(value) * 1000;",
    instead: "return 0;",
    rings: "429 with Retry-After: 3600 seconds",
  },
  {
    name: "ignores the timeout of an attempt",
    file: `${WIRE}/deadline.ts`,
    text: "return longest < timeLeft",
    instead: "return longest < 0",
    rings: "the request is carried out, and no response arrives",
  },
  {
    name: "does not end an attempt when the signal of its call aborts",
    file: `${SEND}/make-attempt.ts`,
    text: "timeout: limit.left, signal };",
    instead: "timeout: limit.left, signal: undefined };",
    rings: "while the server handles the request",
  },
  {
    name: "shows the key to hooks",
    file: `${WIRE}/headers.ts`,
    text: 'isSecretName(name) ? "[redacted]" : scrub(shownAddresses(value), holdsSecret)',
    instead: "value",
    rings: "no fault; the response arrives",
  },
  {
    name: "shows the key that an error body repeats",
    file: "packages/http/src/errors/show-text.ts",
    text: "holdsKey(checked) || holdsSecret(checked)",
    instead: "false",
    rings: "an error body that repeats the key",
  },
  {
    name: "accepts half of a body",
    file: `${SEND}/send-once.ts`,
    text: "if (value === TRUNCATED)\n",
    instead: "if (value === TRUNCATED && !isSuccess)\n",
    rings: "the body ends early",
  },
  {
    name: "does not know that nothing was sent",
    file: `${WIRE}/network-failure.ts`,
    text: '  if (all((each) => isNotFound(each) || isNotConnected(each) || isTooMany(each)))\n    return notSent("no connection could be made", false);\n',
    instead: "",
    rings: "no server listens on the port",
  },
  {
    name: "loses the status of an error whose body cannot be read",
    file: `${SEND}/send-once.ts`,
    text: "fetched.ok ? read(fetched) : readError(fetched, end - monotonicClock.now()),",
    instead: "read(fetched),",
    rings: "403, with a body that breaks off",
  },
  {
    name: "follows any number of redirects",
    file: `${WIRE}/fetch-attempt.ts`,
    text: "const MAX_REDIRECTS = 3;",
    instead: "const MAX_REDIRECTS = 30;",
    rings: "Redirects a loop",
  },
  {
    name: "walks in a circle",
    file: `${PAGER}/loop-check.ts`,
    text: "has: (cursor: string): boolean => cursor === mark || recent.has(cursor),",
    instead: "has: (cursor: string): boolean => cursor === mark && recent.size < 0,",
    rings: "two pages whose cursors lead to each other",
  },
  {
    name: "follows empty pages without end",
    file: `${PAGER}/walk.ts`,
    text: "if (empty <= settings.maxEmptyPages) return;",
    instead: "if (empty <= Infinity) return;",
    rings: "endless empty pages",
  },
  {
    name: "takes an expired cursor for a wrong request",
    file: `${PAGER}/source.ts`,
    text: "const expired =\n          !first &&",
    instead: "const expired =\n          cursor === null &&",
    rings: "an expired cursor",
  },
  {
    name: "accepts a delivery of any age",
    file: `${VERIFY}/create-verifier.ts`,
    text: "if (Math.abs(age) <= tolerance) return;",
    instead: "if (Math.abs(age) <= tolerance + Infinity) return;",
    rings: "a delivery signed an hour",
  },
  {
    name: "accepts any signature of the right length",
    file: `${VERIFY}/mac-node.ts`,
    text: "given.length === expected.length && timingSafeEqual(given, expected)",
    instead: "given.length === expected.length || timingSafeEqual(given, expected)",
    rings: "a signature of zeros only",
  },
  {
    name: "reads a delivery of any length",
    file: "packages/webhook-types/src/adapters/node.ts",
    text: "if (length <= limit) addChunk(chunks, chunk);",
    instead: "if (length <= Infinity) addChunk(chunks, chunk);",
    rings: "endless chunks",
  },
  {
    name: "handles a done event again",
    file: "packages/webhook-types/src/stores/memory-store.ts",
    text: 'if (done.get(id)) return { status: "done" };',
    instead: "done.get(id);",
    rings: "the same delivery again",
  },
  {
    name: "handles an event twice at the same time",
    file: "packages/webhook-types/src/stores/memory-store.ts",
    text: "if (before !== undefined && !isMine && before.endsAt > now)",
    instead: "if (before !== undefined && !isMine && before.endsAt > now + 3_600_000)",
    rings: "twenty deliveries of one event at once",
  },
];
