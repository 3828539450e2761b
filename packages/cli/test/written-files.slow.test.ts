// Every file with a value of the console, the map or the mobile service is only for its user, whatever the umask is.
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../src/commands/commands.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { type ProgramUser, startUser } from "./user.ts";

let user: ProgramUser;
beforeAll(async () => {
  user = await startUser();
});
afterAll(() => user.close());

const DEVICE = "0004A30B00000001,70B3D57ED0010001,C0FFEE00112233445566778899AABBCC";
const ENV = `FIELDMESH_PASSPHRASE=x FIELDMESH_WEBHOOK_SECRET=whsec_0123456789abcdef HOME=. XDG_CACHE_HOME=. XDG_RUNTIME_DIR=.`;
/** Runs a command until its file exists, and ends it. */
const until = (words: string): string =>
  `"$NODE" "$PROGRAM" ${words} & pid=$!; for i in $(seq 30); do sleep 0.1; [ -e FILE ] && break; done; kill $pid; wait $pid`;
const FLEET = "fieldmesh fleet export f.json --clear;";

/** A script for each option that names a file to write, and for each file that has its own name. `FILE` is that file. */
const WRITERS: Readonly<Record<string, string>> = {
  "devices import (rows to fix)": `printf 'dev_eui,app_eui,app_key\n${DEVICE}\n1,2,3\n' > d.csv; fieldmesh devices import d.csv --yes`,
  "devices import (stream)": `(printf 'dev_eui,app_eui,app_key\n${DEVICE}\n'; sleep 5) | TMPDIR=. "$NODE" "$PROGRAM" devices import - --yes & for i in $(seq 50); do sleep 0.1; [ -s fieldmesh-*/stdin.csv ] && break; done; kill -9 $!`,
  "devices export --out": "fieldmesh devices export --out FILE",
  "devices export --out (keys)": "fieldmesh devices export --out FILE --reveal",
  "devices export --out (encrypted)": "fieldmesh devices export --out FILE --encrypt",
  "fleet export <file>": "fieldmesh fleet export FILE --clear",
  "fleet plan --write-mapping": `${FLEET} fieldmesh fleet plan f.json --write-mapping FILE`,
  "fleet convert --out": `${FLEET} echo '{"devices":{"device_profile_id":"0b1d4cbe-6d2a-4a2b-8f0a-1f2e3d4c5b6a","application_id":"0b1d4cbe-6d2a-4a2b-8f0a-1f2e3d4c5b6a"}}' > m.json; fieldmesh fleet convert f.json --target chirpstack --mapping m.json --out FILE --clear`,
  "profile set (config)":
    "echo k | FIELDMESH_CONFIG=FILE fieldmesh profile set x console --url https://c.example --key-stdin",
  "sandbox --env": until("sandbox --port 0 --env FILE"),
  "sandbox --save": until("sandbox --port 0 --save FILE"),
  "webhooks record --out": until("webhooks record --port 0 --out FILE"),
  "webhooks catch-up --checkpoint":
    "fieldmesh webhooks catch-up --since 2020-01-01 --to http://127.0.0.1:1 --checkpoint FILE",
  "console devices list --out": "fieldmesh console devices list --out FILE",
  "console devices list --out (keys)": "fieldmesh console devices list --out FILE --reveal",
  "mobile events list --out": "fieldmesh mobile events list --out FILE",
};

test.for(Object.entries(WRITERS))(
  "%s writes only for its user",
  { timeout: 60_000 },
  async ([, script], { expect: check }) => {
    const mobile = `MOBILE_URL=${user.sandbox.mobile.baseUrl} MOBILE_KEY=${user.sandbox.mobile.apiKey}`;
    const own = join(user.folder, `own-${Math.random()}`);
    await user.bash(
      `mkdir ${own}; cd ${own}; umask 0; export ${ENV} ${mobile} NODE=${process.execPath} PROGRAM=${user.program.file}; ${script.replaceAll("FILE", "written")}`,
    );
    const files = globSync("**/*", { cwd: own }).concat(globSync("**/.*", { cwd: own }));
    const GIVEN = /^(?:d\.csv|m\.json)$/;
    const written = files.filter((name) => statSync(join(own, name)).isFile() && !GIVEN.test(name));
    check(written.length).toBeGreaterThan(0);
    check(written.filter((name) => (statSync(join(own, name)).mode & 0o077) !== 0)).toEqual([]);
    rmSync(own, { recursive: true });
  },
);

test("the table has every option that names a file to write", async () => {
  const { commands: rows } = await rowCommands(["console", "mapper", "mobile"]);
  const writing =
    /^write |the file (?:for|to write)|keep the place|writes? a snapshot|with a snapshot|file to write/;
  const named = [...commands, ...rows].flatMap(({ path, options = [] }) =>
    options
      .filter(({ value, description }) => value === "file" && writing.test(description))
      .map(({ name }) => `${path} --${name}`),
  );
  // All lists of rows share one function.
  const isList = new Set(rows.map(({ path }) => `${path} --out`));
  const open = named
    .filter((each) => !each.startsWith("ledger ") && !isList.has(each))
    .filter((each) => !Object.keys(WRITERS).some((known) => known.startsWith(each)));
  expect(open).toEqual([]);
  expect(named).toContain("devices export --out");
});

test("a recording does not continue in a file that others can read", async () => {
  const file = join(user.folder, "old.ndjson");
  writeFileSync(file, "", { mode: 0o644 });
  const { code, stderr } = await user.bash(
    `FIELDMESH_WEBHOOK_SECRET=whsec_0123456789abcdef fieldmesh webhooks record --port 0 --out ${file}`,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Run chmod 600 on it`)]);
});

test("files are written in a few places only", () => {
  const src = join(import.meta.dirname, "../src");
  const writing =
    /\b(?:writeFile(?:Sync)?|createWriteStream|appendFile(?:Sync)?|openSync|mkdtemp)\b|import \{[^}]*\bopen\b[^}]*\} from "node:fs/;
  const found = globSync("**/*.ts", { cwd: src })
    .filter(
      (name) => !name.endsWith(".test.ts") && writing.test(readFileSync(join(src, name), "utf8")),
    )
    .map((name) => relative(src, join(src, name)))
    .toSorted();
  expect(found).toEqual([
    "files/begin-file.ts",
    // In a folder of its own, with mode 0600 from the start.
    "files/user-file.ts",
    "fleet/files/new-file.ts",
    "fleet/files/source.ts",
    "ledger/export/formats/csv.ts",
    "ledger/export/formats/parquet.ts",
    "ledger/export/journal.ts",
    "ledger/folder/manifest.ts",
    "rows/run-row.ts",
  ]);
});
