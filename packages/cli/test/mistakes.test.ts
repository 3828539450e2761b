import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { type Ended, type ProgramUser, startUser } from "./user.ts";

// Each mistake ends with one sentence and an exit code, never with a stack trace.

let user: ProgramUser;
beforeAll(async () => {
  user = await startUser();
  mkdirSync(file("FOLDER"));
  writeFileSync(file("AGE"), "age-encryption.org/v1\n");
  writeFileSync(file("BYTES"), Buffer.from([0x80, 0x81, 0x82]));
  writeFileSync(file("EMPTY"), "");
  writeFileSync(file("FLEET.csv"), FLEET);
});
afterAll(() => user.close());

const DEVICE = "0004A30B00000001,70B3D57ED0010001,A0112233445566778899AABBCCDDEE01";
const FLEET = `name,dev_eui,app_eui,app_key\nTank,${DEVICE}\n`;
const file = (name: string): string => join(user.folder, name);
/** Returns the words of a line. Those in capitals are files of the tests. */
const wordsOf = (line: string): string[] =>
  line
    .replace("PORT", new URL(user.sandbox.console.baseUrl).port)
    .split(" ")
    .map((word) => (/^[A-Z]+(\.\w+)?$/.test(word) ? file(word) : word));

const KEY = { CONSOLE_KEY: canaries.apiKey };
const AWAY = { CONSOLE_URL: "http://127.0.0.1:1", LEDGER_URL: "https://ledger.invalid" };
const HINT = "(observed; --no-observed-rules turns this off)";
const LONG = "p".repeat(51);
const SECRET = { FIELDMESH_WEBHOOK_SECRET: canaries.webhookSecret };
const VERIFY = "webhooks verify --headers";
const ACCOUNT = "13buBykFQf5VaQtv7mWj2PBY9Lq4i1DeXhg7C4Vbu3ppzqqNkTH";
const BLOCKS = "ledger export blocks --min-time -1hour --out";
const FOLDER_EXPORT = "ledger export rewards --partition day --min-time -1day --out NEWFOLDER";

type Mistake = [what: string, line: string, code: number, part: string, own?: NodeJS.ProcessEnv];

test.each<Mistake>([
  ["a wrong command", "console label", 2, 'Did you mean "console labels"?'],
  ["a wrong option", "devices export --lable x", 2, "Did you mean --label?"],
  ["no value of an option", "ledger blocks list --out", 2, "--out needs a value: --out <file>"],
  ["a wrong choice", "devices import FLEET.csv --if-exists no", 2, "--if-exists must be one of"],
  ["a wrong profile", "mobile events list --profile x", 2, "There is no profile of this name"],
  ["a bad time", "ledger export blocks --min-time x --out NEW.csv", 2, "--min-time is not a time"],
  ["a wrong number", "ledger blocks list --limit many", 2, "--limit needs a whole number"],
  ["a wrong event type", "webhooks send sim.activatd --to http://127.0.0.1:1", 2, "Did you mean"],
  ["an input that breaks a rule", "console labels get --label-id x", 2, "UUID"],
  ["a name that is too long", `console labels create --name ${LONG}`, 2, HINT, AWAY],
  [
    "a name that is too long, which is sent",
    `console labels create --name ${LONG} --no-observed-rules`,
    1,
    "do not connect to this port",
    AWAY,
  ],
  ["a name that nothing has", "console labels find --name Nothing", 1, "No label has this name."],
  ["an unknown id", "ledger blocks get --height 999999999", 1, "404"],

  ["a missing file for a row", "mapper ingest --input NONE", 2, "does not exist"],
  ["a missing folder for a list", "ledger blocks list --out /missing/x", 2, "does not exist"],
  ["a missing folder for an export", "devices export --out /missing/x.csv", 2, "does not exist"],
  ["a missing folder for blocks", `${BLOCKS} /missing/x.csv`, 2, "does not exist"],
  ["a missing file to import", "devices import NONE --yes", 2, "could not be read"],
  ["a missing file of EUIs", "devices activate --file NONE --yes", 2, "could not be read"],
  ["a missing file of a fleet", "fleet plan NONE", 2, "could not be read"],
  ["a missing passphrase file", "fleet verify AGE --passphrase-file NONE", 2, "could not be read"],
  ["no recording", "webhooks replay --from NONE --to http://127.0.0.1:1", 2, "cannot be read"],
  ["a missing delivery", `${VERIFY} NONE --body NONE`, 2, "does not exist", SECRET],
  ["a folder to import", "devices import FOLDER --yes", 2, "it is a folder"],
  ["a folder for a row", "mapper ingest --input FOLDER", 2, "it is a folder"],
  ["an empty file", "devices import EMPTY --yes", 2, "is empty"],
  ["a file that is not UTF-8", "devices import BYTES --yes", 2, "is not in UTF-8"],
  ["a file that is not JSON", "mapper ingest --input FLEET.csv", 2, "--input needs a JSON object"],
  ["a file that is not a fleet", "fleet plan FLEET.csv", 2, "is not"],
  ["a damaged fleet", "fleet plan AGE", 2, "damaged", { FIELDMESH_PASSPHRASE: "for this test" }],

  ["a wrong key for a row", "console labels list", 1, "401", KEY],
  ["a wrong key for an import", "devices import FLEET.csv --yes", 1, "401", KEY],
  ["a wrong key for a fleet", "fleet export NEW.json --clear", 1, "401", KEY],
  ["a wrong word of help", "help devices imprt", 2, 'Did you mean "devices import"?'],
  ["a wrong first word", "lable list", 2, 'Did you mean "console labels list"?'],
  ["a group that is left out", "ledger rewards", 2, 'or "ledger accounts rewards"?'],
  ["another name of an option", "mapper ingest --file x", 2, "Did you mean --input?"],
  ["a wrong word", "ledger rewards", 2, '"fieldmesh ledger" has no command rewards. Did'],
  ["a word that may be a key", "ledger k1234567", 2, '"fieldmesh ledger" has no such command. '],
  ["a move of a fleet", "fleet move", 2, 'Did you mean "fleet plan" or "fleet apply"?'],
  ["help of no command", "profile add --help", 2, '"fieldmesh profile" has no command add. Did'],
  ["a wrong option beside a missing one", "ledger export rewards --acount x", 2, "--accounts?"],
  [
    "a column of no record",
    "devices list --columns id,nme",
    2,
    "one of these columns. Did you mean name?",
  ],
  ["two swapped letters of a column", "devices list --columns id,nmae", 2, "Did you mean name?"],
  ["an EUI for an id", "console devices get 0004A30B00000001", 2, "--columns id,name,dev_eui"],
  ["no command", "devices", 2, "fieldmesh devices needs a command: "],
  ["no argument", "devices import", 2, "The argument <file> is missing. See"],
  ["an argument too many", "devices import a b", 2, 'in quotes. After "fieldmesh devices import"'],
  ["a missing key", "console labels list", 2, "set CONSOLE_KEY", { CONSOLE_KEY: "" }],
  ["a key of two lines", "labels list", 2, "a line break", { CONSOLE_KEY: "a\nb" }],
  ["an address without TLS", "labels list", 2, "is plain http://", { CONSOLE_URL: "http://c.d" }],
  ["an address of FTP", "blocks height", 2, "must begin with https://", { LEDGER_URL: "ftp://l" }],
  ["a key in quotes", "console labels list", 2, "CONSOLE_KEY is in quotes", { CONSOLE_KEY: '"x"' }],

  ["a missing address", "mobile events list", 2, "set MOBILE_URL"],
  ["half an address", "console labels list", 2, "CONSOLE_URL is not a URL", { CONSOLE_URL: "x" }],
  [
    "a password",
    "labels list",
    2,
    "must not contain",
    { CONSOLE_URL: "https://u:hidden@c.example" },
  ],
  ["an unknown host", "ledger blocks height", 1, "ENOTFOUND", AWAY],
  ["an unknown host, for an export", `${BLOCKS} NEW.csv`, 1, "ENOTFOUND", AWAY],
  ["no console", "devices import FLEET.csv --yes", 1, "do not connect to this port", AWAY],
  [
    "a receiver that does not run",
    "webhooks send sim.activated --to http://127.0.0.1:1",
    1,
    "Nothing responds",
    SECRET,
  ],
  ["a port that is in use", "sandbox --port PORT", 2, "is in use. Choose another one"],

  ["a question for a key", "profile set x console --url https://c.example", 2, "needs a terminal"],
  ["no passphrase", "fleet plan AGE", 2, "set FIELDMESH_PASSPHRASE or add --passphrase-file"],
  ["a question for a secret", `${VERIFY} EMPTY --body EMPTY`, 2, "set FIELDMESH_WEBHOOK_SECRET"],
  ["a deletion", "devices delete --label Pumps", 2, "Add --yes to run it without asking"],

  ["an empty stdin for a row", "mapper ingest --input -", 2, "which stdin does not contain"],
  ["an empty stdin to import", "devices import - --yes", 2, "is empty"],
  ["an address that is none", "profile set x console --url c.example", 2, "--url needs an address"],
  ["a key of no use", "profile set x ledger --url https://l.x --key-stdin", 2, "needs no key. Le"],
  ["an empty key", "profile set x console --url https://c.example --key-stdin", 2, "needs a key"],
  ["no account", "ledger export rewards --min-time -1day --out NEW.csv", 2, "Name the account"],
  ["no file", `ledger export rewards ${ACCOUNT} --min-time -1day`, 2, "--out"],
  ["lanes without a time", `ledger export activity ${ACCOUNT} --lanes 2 --out N.csv`, 2, "--min-t"],
  ["no list of accounts", FOLDER_EXPORT, 2, "name a file of addresses"],
  ["a missing list of accounts", `${FOLDER_EXPORT} --accounts NONE`, 2, "could not be read"],
  ["an empty list of accounts", `${FOLDER_EXPORT} --accounts EMPTY`, 2, "has no address"],
  ["a list of something else", `${FOLDER_EXPORT} --accounts FLEET.csv`, 2, "base58: 1, 2."],
  ["a part of nothing", `${FOLDER_EXPORT} --accounts EMPTY --shard 9/8`, 2, "such as 2/8"],
  ["a folder that is none", "ledger verify NONE", 2, "is not a folder"],
  ["a folder without an export", "ledger verify FOLDER", 2, "FOLDER"],
])("%s ends with one sentence and an exit code", async (_what, line, code, part, own) => {
  const ended = await user.run(wordsOf(line), own);
  expect(ended).toMatchObject({ code, stdout: "" });
  expectSentence(ended, part);
});

/** The line before the error says where a command writes to, or how to resume. The line after it is the page of the error. */
function expectSentence({ stderr }: Ended, part: string): void {
  const lines = stderr.trimEnd().split("\n");
  const [last = "", ...before] = lines.filter((line) => !PAGE.test(line)).toReversed();
  expect(last).toMatch(/^fieldmesh: /);
  expect(last).toContain(part);
  expect(before.filter((line) => !NOTE.test(line))).toEqual([]);
  expect(stderr).not.toMatch(/\bat \S+ \(|\.[mj]*s:\d+|node:internal|This is a bug in fieldmesh/);
}

const PAGE = /^See https:\S+\/errors\/\w+\.html$/;
const NOTE =
  /^(Mapper|Console|Receiver) {2}\S+( {2}\(\w+\))?$|^\d+ records are in |^What was read is kept|will have the keys of its devices unencrypted/;

test.each([
  "ledger blocks list --json",
  "devices export",
  "webhooks events --types",
  "completion bash",
  "console --help",
])("%s ends with exit code 0 if its reader ends early, as head does", async (line) => {
  const { stdout, stderr } = await user.bash(
    `fieldmesh ${line} | head -1; echo "\${PIPESTATUS[0]}"`,
  );
  expect(stderr.replace(/^Exported \d+ devices .+\n$/, "")).toBe("");
  expect(stdout).toMatch(/^.+\n0\n$/);
});

test.runIf(existsSync("/dev/full"))(
  "a full disk behind stdout is reported in one sentence",
  async () => {
    for (const line of ["ledger blocks height", "devices export", "--help"]) {
      const { code, stderr } = await user.bash(`fieldmesh ${line} > /dev/full`);
      expect([line, code, stderr]).toEqual([
        line,
        1,
        "fieldmesh: What the command prints: the disk is full: free some space and run the command again.\n",
      ]);
    }
  },
);

test.each(["[]", '{"profiles":7}', '{"profiles":{"x":{"console":{}}}}', '{"profiles":{"x":7}}'])(
  "the profiles %s are called damaged, with one sentence",
  async (content) => {
    writeFileSync(file("profiles.json"), content);
    const own = { FIELDMESH_CONFIG: file("profiles.json") };
    const ended = await user.run(wordsOf("mobile events list --profile x"), own);
    expect(ended.code).toBe(2);
    expectSentence(ended, "profiles.json");
  },
);

/** Mounts a disk of a few kilobytes, which only root may do. */
function mountSmallDisk(folder: string): boolean {
  try {
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("each command that writes a file reports a full disk in one sentence", async ({ skip }) => {
  const disk = file("disk");
  if (!mountSmallDisk(disk)) skip("this user cannot mount a small disk");
  try {
    writeFileSync(join(disk, "fleet.csv"), FLEET);
    await user.bash(`cat /dev/zero > ${disk}/filler`);
    for (const line of [
      `ledger blocks list --limit 600 --out ${disk}/blocks.ndjson`,
      `ledger export blocks --min-time -1day --out ${disk}/blocks.csv`,
      `ledger export blocks --min-time -1day --out ${disk}/blocks.parquet`,
      `devices export --out ${disk}/devices.csv`,
      `devices import ${disk}/fleet.csv --yes`,
      `fleet export ${disk}/fleet.json --clear`,
    ]) {
      const ended = await user.run(line.split(" "));
      expect([line, ended.code, ended.stdout]).toEqual([line, 1, ""]);
      expectSentence(ended, "");
      expect(ended.stderr).toMatch(/the disk is full|no space left/);
      expect(readdirSync(disk).filter((name) => name.endsWith(".lock"))).toEqual([]);
    }
  } finally {
    // It fails if a command has left a file open.
    execFileSync("umount", [disk]);
  }
});
