import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RequestView } from "../src/engine/controls/wire.ts";
import { asCurl, asSentCurl } from "./copy.ts";

const COMMANDS = {
  bash: ["bash", "--norc", "--noprofile"],
  zsh: ["zsh", "-f"],
  // They search the history for `!`.
  "an interactive bash": ["bash", "--norc", "--noprofile", "-i"],
  "an interactive zsh": ["zsh", "-f", "-i"],
} as const;

/** The shells that a command is pasted into. `why` says that one is not there. */
const shells = Object.entries(COMMANDS).map(([name, command]) => {
  const isThere = spawnSync(command[0], ["-c", ":"]).error === undefined;
  return { name, command, why: isThere ? undefined : `there is no ${command[0]}` };
});

/** What a shell, its history or a terminal obeys somewhere. `ran` would be a file. */
const PIECES = [
  ...Array.from("'\"`\\$!~*?#@% \n\r\t\0\u009B\u202E\u2028é😀"),
  ..."!! ^a^b =ls -rf -- $IFS ${PATH} {a,b} [1-3] \uE000PATH\uE000".split(" "),
  ..."$(touch ran)|`touch ran`|; touch ran;|&& touch ran|'; touch ran; '|\"; touch ran; \"".split(
    "|",
  ),
  ..."\\'; touch ran; '|<(touch ran)|\ntouch ran\n|\nJSON\ntouch ran\n|\u0003touch ran\n".split(
    "|",
  ),
  "\u001B[201~\ntouch ran\n",
];

/** A string of such pieces, or any other one. */
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
  fc.string({ unit: "grapheme" }),
);

const create: RequestView = {
  number: 1,
  time: 0,
  service: "console",
  row: "devices.create",
  route: "POST /api/v1/devices",
  method: "POST",
  path: "/console/api/v1/devices",
  status: 201,
  duration: 1,
  fault: undefined,
  played: undefined,
  error: undefined,
  done: true,
  key: "printed",
  client: undefined,
  query: {},
  headers: { host: "127.0.0.1:4010", key: "[redacted]", "content-type": "application/json" },
  body: { kind: "json", value: { name: 'Tank "7" costs $5', app_key: "[redacted]" } },
  note: undefined,
  program: undefined,
  response: undefined,
};

test("a request is copied as a curl command with variables in place of hidden values", () => {
  expect(asCurl(create)).toBe(`curl \\
  -X POST \\
  -H 'key: '"$CONSOLE_KEY" \\
  "$CONSOLE_URL"/api/v1/devices \\
  --json '{"name":"Tank '"\\\\"'"7'"\\\\"'" costs $5","app_key":"'"\${SENT_APP_KEY:?set SENT_APP_KEY}"'"}'`);
  const read: RequestView = {
    ...create,
    method: "GET",
    path: "/console/api/v1/devices",
    query: { dev_eui: "0004A30B001C0530", app_key: "[redacted]" },
    body: { kind: "none" },
  };
  expect(asCurl(read)).toContain(
    `"$CONSOLE_URL"'/api/v1/devices?dev_eui=0004A30B001C0530&app_key='"\${SENT_APP_KEY:?set SENT_APP_KEY}"`,
  );
  expect(
    asCurl({ ...read, headers: { authorization: "[redacted]" }, service: "mobile" }),
  ).toContain(`-H 'authorization: Bearer '"$MOBILE_KEY"`);
});

test.each([
  [{ "content-type": "text/plain" }, '@a $file, "not" JSON', "-H 'content-type: text/plain'"],
  [{}, "[redacted]", "-H content-type:"],
] as const)("a shell sends a body that is not JSON as it was: %j", (headers, text, flag) => {
  const curl = asCurl({ ...create, headers, body: { kind: "text", text } });
  expect(curl).toContain(flag);
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${curl}`;
  const env = { ...process.env, BODY: "broken: 2B7E" };
  const sent = execFileSync("sh", ["-c", script], { encoding: "utf8", env });
  expect(sent).toBe(text === "[redacted]" ? env.BODY : text);
});

test("a key that the sandbox does not print is a variable without which the shell stops", () => {
  const read: RequestView = {
    ...create,
    method: "GET",
    body: { kind: "none" },
    key: "unknown",
  };
  const curl = asCurl(read);
  expect(curl).toContain(`-H 'key: '"\${API_KEY:?set API_KEY}"`);
  const run = () =>
    execFileSync("sh", ["-c", `curl() { :; }\n${curl}`], { stdio: "pipe", env: {} });
  expect(run).toThrow(/set API_KEY/);
});

test("a copied request whose body was not kept says so, and the shell asks for the body", () => {
  const lost: RequestView = { ...create, body: { kind: "left_out", length: 70_000 } };
  const start: RequestView = { ...create, body: { kind: "text", text: '{"name', whole: 70_000 } };
  const sent = { method: "POST", url: "/console/api/v1/labels", headers: {}, body: undefined };
  for (const command of [asCurl(lost), asCurl(start), asSentCurl(sent, "http://127.0.0.1:4010")]) {
    expect(command).toContain("set BODY: the sandbox has not kept the whole body");
    const script = `curl() { printf "%s" "$*"; }\n${command}`;
    const env = { CONSOLE_URL: "http://127.0.0.1:4010", CONSOLE_KEY: "key" };
    expect(() => execFileSync("sh", ["-c", script], { env, stdio: "pipe" })).toThrow("set BODY");
    const complete = { ...env, BODY: "all of it" };
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8", env: complete })).toContain(
      "--data-binary all of it",
    );
  }
});

// A request of anyone is in the log, and its copy is pasted into the shell of the user.

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "fieldmesh-copy-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const ENV = { PATH: process.env["PATH"], CONSOLE_URL: "U", CONSOLE_KEY: "K", LANG: "C.UTF-8" };
const PRINT = "curl() { for each; do printf '%s\\0' \"$each\"; done; printf '%s\\0' end; }";

/** Runs commands in a shell, and returns the arguments of curl of each. */
function runIn([shell, ...flags]: readonly string[], commands: readonly string[]): string[][] {
  const script = [PRINT, ...commands].join("\n");
  const options = { cwd: folder, env: ENV, encoding: "utf8", input: `${script}\n` } as const;
  const printed = execFileSync(shell!, flags, { ...options, stdio: "pipe" });
  expect(readdirSync(folder)).toEqual([]);
  const calls = printed.slice(printed.indexOf("-X\0")).split("end\0");
  return calls.slice(0, commands.length).map((each) => each.split("\0").slice(0, -1));
}

const base: RequestView = {
  number: 1,
  time: 0,
  service: "console",
  row: undefined,
  route: undefined,
  method: "POST",
  path: "/console/x",
  status: 404,
  duration: 1,
  fault: undefined,
  played: undefined,
  error: undefined,
  done: false,
  key: undefined,
  client: undefined,
  query: {},
  headers: { "content-type": "text/plain" },
  body: { kind: "none" },
  note: undefined,
  program: undefined,
  response: undefined,
};
const TYPE = ["-H", "content-type: text/plain"];

/** What a stranger chooses in a request: a view with it, and the arguments of its copy. */
const places: Readonly<Record<string, (text: string) => readonly [RequestView, string[]]>> = {
  path: (text) => [{ ...base, path: `/console/${text}` }, [...TYPE, `U/${text}`]],
  "name of a query": (text) => [
    { ...base, query: { [text]: "1" } },
    [...TYPE, `U/x?${encodeURIComponent(text)}=1`],
  ],
  query: (text) => [
    { ...base, query: { a: text } },
    [...TYPE, `U/x?a=${encodeURIComponent(text)}`],
  ],
  "name of a header": (text) => [
    { ...base, headers: { ...base.headers, [text]: "1" } },
    [...TYPE, "-H", `${text}: 1`, "U/x"],
  ],
  header: (text) => [
    { ...base, headers: { ...base.headers, a: text } },
    [...TYPE, "-H", `a: ${text}`, "U/x"],
  ],
  "body that is a string": (text) => [
    { ...base, body: { kind: "text", text } },
    [...TYPE, "U/x", "--data-raw", text],
  ],
  "value in JSON": (text) => [
    { ...base, body: { kind: "json", value: { a: [text] } } },
    ["U/x", "--json", JSON.stringify({ a: [text] })],
  ],
  "name in JSON": (text) => [
    { ...base, body: { kind: "json", value: { [text]: 1 } } },
    ["U/x", "--json", JSON.stringify({ [text]: 1 })],
  ],
};

const cells = shells.flatMap(({ name, why, command }) =>
  Object.keys(places).map((place) => ({ name, why, command, place })),
);

test.for(cells)("$name sends a hostile $place of a copied request unchanged", (cell, { skip }) => {
  if (cell.why !== undefined) skip(cell.why);
  const property = fc.property(fc.array(hostile, { minLength: 1, maxLength: 12 }), (all) => {
    // These have a value of their own in a copy, or none.
    const texts = all.filter((text) => !/^$|^content-type$|^\[|^\d+$|\0/.test(text));
    fc.pre(texts.length > 0);
    const made = texts.map((text) => places[cell.place]!(text));
    const copies = made.map(([view]) => asCurl(view));
    // Before a shell reads a line, a terminal obeys its control characters.
    for (const copy of copies) expect(copy).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]|[^\\]\n/u);
    const got = runIn(cell.command, copies);
    expect(got.map((args) => args.filter((arg) => arg !== "-g"))).toEqual(
      made.map(([, args]) => ["-X", "POST", ...args]),
    );
  });
  fc.assert(property, { numRuns: 12 });
});

test.for(shells)("$name sends a request with its hostile values", ({ command, why }, { skip }) => {
  if (why !== undefined) skip(why);
  const property = fc.property(fc.array(hostile, { minLength: 1, maxLength: 12 }), (all) => {
    const texts = all.filter((text) => !/^$|\0/.test(text));
    fc.pre(texts.length > 0);
    const copies = texts.map((text) =>
      asSentCurl({ method: "POST", url: `/${text}`, headers: { a: text }, body: text }, "O"),
    );
    for (const copy of copies) expect(copy).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]|[^\\]\n/u);
    const got = runIn(command, copies).map((args) => args.filter((arg) => arg !== "-g"));
    expect(got).toEqual(
      texts.map((text) => [
        "-X",
        "POST",
        "-H",
        `a: ${text}`,
        "-H",
        "content-type:",
        `O/${text}`,
        "--data-raw",
        text,
      ]),
    );
  });
  fc.assert(property, { numRuns: 12 });
});

test("a body that no argument can hold is read from a variable of the user", () => {
  for (const text of ["a\0b", "a".repeat(200_000)]) {
    const sent = { method: "POST", url: "/x", headers: {}, body: text };
    for (const copy of [asCurl({ ...base, body: { kind: "text", text } }), asSentCurl(sent, "O")])
      expect(copy).toContain('--data-binary "${BODY:?set BODY');
  }
});

test("curl reads no brackets of an address as a list, and no body as the name of a file", () => {
  const sent = { method: "POST", url: "/x[1-9]", headers: {}, body: "@/etc/passwd" };
  expect(asSentCurl(sent, "O")).toBe(
    "curl -X POST -H content-type: -g 'O/x[1-9]' --data-raw @/etc/passwd",
  );
  expect(asCurl({ ...base, path: "/console/{a,b}" })).toContain("-g");
});

test("a hidden value is never read from a variable that the user has for something else", () => {
  const view = { ...base, query: { aws_secret_access_key: "[undeclared]" } };
  expect(asCurl(view)).toContain('"${SENT_AWS_SECRET_ACCESS_KEY:?set SENT_AWS_SECRET_ACCESS_KEY}"');
});
