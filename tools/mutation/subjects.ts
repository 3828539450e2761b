/** A part of the code that is mutated and judged together. */
export interface Subject {
  /** As the command line and the table name it. */
  readonly name: string;
  /** The folder below packages/ whose tests judge the mutants. */
  readonly packageId: string;
  /** Globs of the files that are mutated, from the folder of the package. */
  readonly files: readonly string[];
  /**
   * Globs of the test files that judge, from the folder of the package; all where this is left out. Leaving out slow files that
   * test something else saves hours, and can only lower the score.
   */
  readonly judges?: readonly string[];
  /** The least share of mutants, in percent, that a test must catch. */
  readonly goal: number;
}

const CRITICAL = 97;
const WHOLE = 92;
const NO_TESTS = ["!src/**/*.test.ts", "!src/**/*.test-d.ts"];

const VERIFY_TESTS = [
  "src/**/*.test.ts",
  "test/{verify,mistakes,explain,mutations,interop,receiver,responses}.test.ts",
];
const EVENT_TESTS = ["test/{redact-event,parse,leaks.properties}.test.ts"];
const REQUEST_TESTS = [
  "src/{options,request}/*.test.ts",
  "test/{url.properties,paths,encoding,options,any-request,rejections,call-options,key,advice}.test.ts",
];
const RESPONSE_TESTS = [
  "src/{errors,request}/*.test.ts",
  "test/{printed,hooks,outcomes,key,options}.test.ts",
];

/** Where a mistake costs money or shows a secret. */
const critical: readonly Subject[] = [
  subject("verify", "webhook-types", ["src/verify/*.ts"], VERIFY_TESTS),
  subject("lossless JSON", "core", ["src/json.ts"]),
  subject("secrets", "core", ["src/secret.ts", "src/schema/{redact,secret-names}.ts"]),
  subject("redaction of events", "webhook-types", ["src/parse/redact-event.ts"], EVENT_TESTS),
  subject(
    "redaction of responses",
    "http",
    ["src/errors/show-text.ts", "src/request/headers.ts"],
    RESPONSE_TESTS,
  ),
  subject("URL building", "http", ["src/request/url.ts", "src/options/base-url.ts"], REQUEST_TESTS),
  subject(
    "retry policy",
    "http",
    ["src/send/{retry-policy,retry-after,retry-budget,network-failure,pause}.ts"],
    ["src/send/*.test.ts", "test/network.test.ts"],
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

const wholePackages: readonly Subject[] = [
  "core",
  "http",
  "console-client",
  "ledger-client",
  "mapper-client",
  "mobile-client",
  "webhook-types",
  "sandbox",
].map((id) => ({ name: id, packageId: id, files: ["src/**/*.ts", ...NO_TESTS], goal: WHOLE }));

/** Every subject of `npm run mutation`; the critical ones first. */
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
