import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Application, Converter, ReflectionKind, type DeclarationReflection } from "typedoc";
import { packages } from "../../tools/packages.ts";

const docs = join(import.meta.dirname, "..");
const root = join(docs, "..");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { "fieldmesh-source"?: string }>>;
}

/** Writes a page for each entry of each package to docs/api, with what the doc comments say. */
export async function writeApi(): Promise<void> {
  const entries = entriesByFile();
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...entries.keys()],
    tsconfig: join(root, "tsconfig.json"),
    plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme"],
    out: join(docs, "api"),
    // @ts-expect-error options of the plugins
    docsRoot: docs,
    router: "module",
    disableSources: false,
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    readme: "none",
    logLevel: "Warn",
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(
      ReflectionKind.Module,
    ) as DeclarationReflection[]) {
      const file = module.sources?.[0]?.fullFileName;
      module.name = entries.get(file ?? "") ?? module.name;
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the packages");
  await app.generateOutputs(project);
}

/** What a user imports, by the file that it is made of. */
function entriesByFile(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { id } of packages) {
    const file = join(root, "packages", id, "package.json");
    const { name, exports } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    for (const [path, { "fieldmesh-source": source }] of Object.entries(exports))
      if (source !== undefined) entries.set(join(dirname(file), source), join(name, path));
  }
  return entries;
}
