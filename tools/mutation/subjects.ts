/** A part of the code that is mutated and judged as a whole. */
export interface Subject {
  /** The name on the command line and in the table. */
  readonly name: string;
  /** The folder below packages/ whose tests judge the mutants. */
  readonly packageId: string;
  /** Globs of the mutated files, from the folder of the package. */
  readonly files: readonly string[];
  /**
   * Globs of the test files that judge, from the folder of the package. If omitted, all. Leaving out slow files that test
   * something else saves hours, and can only lower the score.
   */
  readonly judges?: readonly string[];
  /** The share of mutants, in percent, that the tests must catch. */
  readonly goal: number;
}

const CRITICAL = 97;
const WHOLE = 92;
// A test reads ten million digits with it, which needs minutes when each step is counted.
const SLOW_TO_COUNT = "!src/json-syntax-error.ts";
const NO_TESTS = [
  "!src/**/*.test.ts",
  "!src/**/*.test-d.ts",
  "!src/**/testing/**",
  "!src/**/generated/**",
];

const VERIFY_TESTS = [
  "src/**/*.test.ts",
  "test/{verify,mistakes,explain,mutations,interop,receiver,responses}.test.ts",
];
// The rows of a client are tested in the sandbox, which has a server for each.
const clientTests = (service: string): readonly string[] => [
  "**/*.test.ts",
  "../sandbox/test/{contract,published-document,row-samples}.test.ts",
  `../sandbox/src/engine/${service}/**/*.test.ts`,
];
const BULK_TESTS = "../sandbox/test/{create-many*,change-many,bulk-telemetry}.test.ts";
// Without tests of memory and of time.
const SANDBOX_TESTS = [
  "src/**/*.test.ts",
  "test/**/!(sign-in-pages|small-heap|rate-limits|create-many-ends).test.ts",
];
const EVENT_TESTS = ["test/{redact-event,parse,leaks.properties}.test.ts"];
const REQUEST_TESTS = [
  "src/{options,request,wire}/*.test.ts",
  "test/{url.properties,paths,encoding,options,any-request,rejections,call-options,key,advice}.test.ts",
];
const RESPONSE_TESTS = [
  "src/{errors,wire}/*.test.ts",
  "test/{printed,hooks,outcomes,key,options}.test.ts",
];

// Slow, and measured separately: rate limits, and redaction. They would use most of the time for each survivor.
const HTTP_TESTS = ["src/**/*.test.ts", "test/!(leaks|herd|rate-limit|client-limits).test.ts"];

/** Code where a mistake costs money or shows a secret. */
const critical: readonly Subject[] = [
  subject("verify", "webhook-types", ["src/verify/*.ts"], VERIFY_TESTS),
  subject("lossless JSON", "core", ["src/json.ts"]),
  subject("secrets", "core", ["src/secret.ts", "src/schema/{redact,secret-names}.ts"]),
  subject("redaction of events", "webhook-types", ["src/parse/redact-event.ts"], EVENT_TESTS),
  subject(
    "redaction of responses",
    "http",
    ["src/errors/show-text.ts", "src/wire/headers.ts"],
    RESPONSE_TESTS,
  ),
  subject("URL building", "http", ["src/wire/url.ts", "src/options/base-url.ts"], REQUEST_TESTS),
  subject(
    "retry policy",
    "http",
    [
      "src/send/{retry-policy,retry-budget}.ts",
      "src/wire/{hint,network-failure}.ts",
      "src/limit/pause.ts",
    ],
    ["src/{send,wire,limit}/*.test.ts", "test/network.test.ts"],
  ),
  subject(
    "the loop of attempts",
    "http",
    ["src/send/*.ts", "!src/send/retry-*.ts", "src/limit/with-permit.ts"],
    [...HTTP_TESTS, "test/leaks.test.ts"],
  ),
  subject(
    "rate limits",
    "http",
    ["src/limit/*.ts", "!src/limit/with-permit.ts"],
    ["test/limit-*.test.ts"],
  ),
  subject(
    "checkpoints of walks",
    "http",
    ["src/pager/{checkpoint,fingerprint,place}.ts"],
    ["src/pager/*.test.ts", "test/pager*.test.ts"],
  ),
  subject(
    "checkpoints of bulk runs",
    "console-client",
    ["src/bulk/{checkpoint,chunks}.ts"],
    ["src/bulk/*.test.ts"],
  ),
];

/** Without the critical parts, which are measured completely: the sample covers the rest. */
const wholePackages: readonly Subject[] = [
  "core",
  "http",
  "console-client",
  "ledger-client",
  "mapper-client",
  "mobile-client",
  "webhook-types",
  "sandbox",
].map((id) => {
  const measured = critical.filter(({ packageId }) => packageId === id);
  const others = measured.flatMap(({ files }) => files.filter((file) => !NO_TESTS.includes(file)));
  const files = ["src/**/*.ts", ...NO_TESTS, SLOW_TO_COUNT, ...others.map((file) => `!${file}`)];
  const judges = judgesOf(id);
  return { name: id, packageId: id, files, goal: WHOLE, ...(judges && { judges }) };
});

function judgesOf(id: string): readonly string[] | undefined {
  if (id === "http") return HTTP_TESTS;
  if (id === "sandbox") return SANDBOX_TESTS;
  if (id === "console-client") return [...clientTests("console"), BULK_TESTS];
  return id.endsWith("-client") ? clientTests(id.replace("-client", "")) : undefined;
}

/** Every subject of `npm run mutation`, the critical ones first. */
export const subjects: readonly Subject[] = [...critical, ...wholePackages];

function subject(
  name: string,
  packageId: string,
  files: readonly string[],
  judges?: readonly string[],
): Subject {
  return {
    name,
    packageId,
    files: [...files, ...NO_TESTS],
    goal: CRITICAL,
    ...(judges && { judges }),
  };
}
