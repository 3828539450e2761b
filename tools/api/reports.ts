import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IExtractorMessagesConfig,
} from "@microsoft/api-extractor";
import type { Program } from "typescript";
import { dependenciesFirst, entriesOf, packages, publicEntries, root } from "../packages.ts";
import { compareReports } from "./compare-reports.ts";
import { shareDeclarations } from "./share-declarations.ts";

/** An entry of a package, and the file that declares its exports. */
interface Entry {
  /** For example `console-client` or `webhook-types.receiver`. */
  readonly name: string;
  /** Such as `webhook-types`. */
  readonly packageId: string;
  readonly packageFolder: string;
  /** The name by which users import it. */
  readonly specifier: string;
  readonly declarations: string;
}

/** The checked-in reports: a file for each package, with a section for each entry. */
export const REPORTS = join(root, "tools", "api", "reports");
const TEMPORARY = join(root, "node_modules", ".cache", "api");

// What http declares is in the report of http, and not in those of the clients.
const entries: readonly Entry[] = dependenciesFirst(packages).flatMap(({ id, folder, manifest }) =>
  publicEntries(manifest).map(([path, source]) => ({
    name: id + path.slice(1).replaceAll("/", "."),
    packageId: id,
    packageFolder: folder,
    specifier: manifest.name + path.slice(1),
    declarations: declarationsOf(folder, source),
  })),
);

function declarationsOf(folder: string, source: string): string {
  return join(folder, source.replace("./src/", "./dist/").replace(/ts$/, "d.ts"));
}

/** A report that differs from the declarations of the built packages. */
export interface ChangedReport {
  readonly name: string;
  /** Such as `added secretFields; removed sign`. */
  readonly difference: string;
}

/** A type that a signature of an entry names, and that no entry exports: a user cannot name it. */
export interface HiddenType {
  /** The name by which users import the entry. */
  readonly entry: string;
  readonly type: string;
}

/** What the built packages export, as their declarations say. */
export interface Api {
  readonly changed: readonly ChangedReport[];
  readonly hidden: readonly HiddenType[];
  /** The distinct names of all entries that semver covers. */
  readonly names: ReadonlySet<string>;
}

/** Reads the declarations of the built packages, and compares them with the reports. With `write`, replaces the reports. */
export function readApi({ write }: { readonly write: boolean }): Api {
  mkdirSync(REPORTS, { recursive: true });
  const reports = entries.map((entry) => ({ ...entry, config: prepare(entry) }));
  // One program for all, because most of the time is spent on reading zod.
  const compilerState = CompilerState.create(prepare(entries[0] as Entry), {
    additionalEntryPoints: Object.values(compilerOptions.paths).flat(),
  });
  const named: HiddenType[] = [];
  for (const { name, specifier, config } of reports) {
    const { errorCount } = Extractor.invoke(config, {
      compilerState,
      localBuild: false,
      // The caller lists the differences and the hidden types. Any other message is a mistake.
      messageCallback: (message) => {
        if (message.messageId === FORGOTTEN)
          named.push({ entry: specifier, type: nameIn(message.text) });
        if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
      },
    });
    if (errorCount > 0) throw new Error(`api-extractor could not read ${name}; see above.`);
  }
  const sections = shareDeclarations(reports.map(({ name }) => [name, textOf(TEMPORARY, name)]));
  const changed = packages.flatMap(({ id: name }) => {
    const own = entries.filter(({ packageId }) => packageId === name);
    const text = own.map((entry) => sections.get(entry.name)).join("\n");
    if (text === "") return [];
    const before = textOf(REPORTS, name);
    if (before === text) return [];
    if (write) writeFileSync(join(REPORTS, `${name}.api.md`), text);
    return [{ name, difference: compareReports(before, text) }];
  });
  const program = compilerState.program as Program;
  const exported = namesOf(program, Object.values(compilerOptions.paths).flat());
  return {
    changed,
    hidden: named.filter(
      ({ type }) => TYPE.test(type) && !WRITTEN_OUT.has(type) && !exported.has(type),
    ),
    names: namesOf(
      program,
      entries.map(({ declarations }) => declarations),
    ),
  };
}

/** The message about a type of a signature that the entry does not export. */
const FORGOTTEN = "ae-forgotten-export";

/** The name of a type. The schema behind a record has a small letter: users see its fields in the record. */
const TYPE = /^[A-Z]/;

/**
 * `Chosen` only changes how the compiler infers. It writes it out in the declarations of users. If http exported it, they would
 * import http, which pnpm hides from a user of a client.
 */
const WRITTEN_OUT: ReadonlySet<string> = new Set(["Chosen"]);

/** Returns the symbol that a message quotes, without the number that a bundle adds to distinguish two. */
function nameIn(message: string): string {
  return (/"([^"]+)"/.exec(message)?.[1] ?? message).replace(/[_$]\d+$/, "");
}

/** Returns the distinct names that files export. */
function namesOf(program: Program, files: readonly string[]): ReadonlySet<string> {
  const checker = program.getTypeChecker();
  return new Set(
    files.flatMap((file) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} is not a built module.`);
      return checker.getExportsOfModule(module).map(({ name }) => name);
    }),
  );
}

/** Returns a report as a string, which is empty for a new entry. */
function textOf(folder: string, name: string): string {
  const file = join(folder, `${name}.api.md`);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function prepare({ name, packageFolder, declarations }: Entry): ExtractorConfig {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(packageFolder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: packageFolder,
      mainEntryPointFilePath: declarations,
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: TEMPORARY,
        reportTempFolder: TEMPORARY,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages,
    },
  });
}

/** Packages see the built declarations of each other, like users, and not the sources. */
const compilerOptions = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  skipLibCheck: true,
  // The zod of core is read as its source.
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ["node"],
  paths: Object.fromEntries(
    packages.flatMap(({ folder, manifest }) =>
      entriesOf(manifest)
        // An import of another package, so that a report does not list what it re-exports of zod.
        .filter(([path]) => path !== "./internal/zod")
        .map(([path, source]) => [manifest.name + path.slice(1), [declarationsOf(folder, source)]]),
    ),
  ),
};

// A report covers names and types. Other tests check the doc comments.
const silent = { logLevel: ExtractorLogLevel.None, addToApiReportFile: false } as const;
const messages: IExtractorMessagesConfig = {
  compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
  extractorMessageReporting: {
    default: silent,
    [FORGOTTEN]: { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: false },
  },
  tsdocMessageReporting: { default: silent },
};
