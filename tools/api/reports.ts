import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IExtractorMessagesConfig,
} from "@microsoft/api-extractor";
import { packages, publicEntries, root } from "../packages.ts";
import { compareReports } from "./compare-reports.ts";

/** An entry of a package, and the file that declares its exports. */
interface Entry {
  /** For example `console-client` or `webhook-types.receiver`. */
  readonly name: string;
  readonly packageFolder: string;
  /** The name by which users import it. */
  readonly specifier: string;
  readonly declarations: string;
}

/** The checked-in reports: a file for each entry. */
export const REPORTS = join(root, "tools", "api", "reports");
const TEMPORARY = join(root, "node_modules", ".cache", "api");

const entries: readonly Entry[] = packages.flatMap(({ id, folder, manifest }) =>
  publicEntries(manifest).map(([path, source]) => ({
    name: id + path.slice(1).replaceAll("/", "."),
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

/** Returns the reports that differ from the declarations of the built packages. With `write`, replaces them. */
export function changedReports({ write }: { readonly write: boolean }): ChangedReport[] {
  mkdirSync(REPORTS, { recursive: true });
  const [first, ...others] = entries.map((entry) => ({ name: entry.name, config: prepare(entry) }));
  if (first === undefined) return [];
  // One program for all, because most of the time is spent on reading zod.
  const compilerState = CompilerState.create(first.config, {
    additionalEntryPoints: others.map(({ config }) => config.mainEntryPointFilePath),
  });
  const isChanged = ({ name, config }: typeof first): boolean => {
    const { apiReportChanged, errorCount } = Extractor.invoke(config, {
      compilerState,
      localBuild: write,
      // The caller lists the differences. Any other message is a mistake.
      messageCallback: (message) => {
        if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
      },
    });
    if (errorCount > 0) throw new Error(`api-extractor could not read ${name}; see above.`);
    return apiReportChanged;
  };
  return [first, ...others].flatMap((report) => {
    const before = textOf(REPORTS, report.name);
    if (!isChanged(report)) return [];
    const difference = compareReports(before, textOf(TEMPORARY, report.name));
    return [{ name: report.name, difference }];
  });
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
        reportFolder: REPORTS,
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
  types: ["node"],
  paths: Object.fromEntries(
    packages.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports)
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
  extractorMessageReporting: { default: silent },
  tsdocMessageReporting: { default: silent },
};
