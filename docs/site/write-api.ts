import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Application, Converter, ReflectionKind, type DeclarationReflection } from "typedoc";
import { packages } from "../../tools/packages.ts";

const docs = join(import.meta.dirname, "..");
const root = join(docs, "..");
const out = join(docs, "api");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** Writes a page with the doc comments of each package entry to docs/api. */
export async function writeApi(): Promise<void> {
  const entries = entriesByFile();
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...entries.keys()],
    tsconfig: join(root, "tsconfig.json"),
    plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme"],
    out,
    // @ts-expect-error options of the plugins
    docsRoot: docs,
    router: "module",
    // VitePress turns headings with dots into other anchors.
    useHTMLAnchors: true,
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    readme: "none",
    // The converter needs the sources to name the modules. They are removed below.
    disableGit: true,
    sourceLinkTemplate: "{path}",
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
  // The pages do not show source lines.
  for (const reflection of Object.values(project.reflections))
    delete (reflection as DeclarationReflection).sources;
  await app.generateOutputs(project);
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".md")) fixAnchors(join(out, file));
}

/** TypeDoc names an anchor `sim.wps_changed`, and links to it as `sim.wps-changed`. */
function fixAnchors(file: string): void {
  const text = readFileSync(file, "utf8");
  const ids = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const byLink = new Map(ids.map((id) => [id.replaceAll("_", "-"), id]));
  const fixed = text.replace(/\]\(#([^)]+)\)/g, (link, target: string) =>
    ids.includes(target) ? link : `](#${byLink.get(target) ?? target})`,
  );
  if (fixed !== text) writeFileSync(file, fixed);
}

/** Returns the import paths of all package entries by their source files. */
function entriesByFile(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { id } of packages) {
    const file = join(root, "packages", id, "package.json");
    const { name, exports } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    for (const [path, source] of Object.entries(exports))
      entries.set(join(dirname(file), source), join(name, path));
  }
  return entries;
}
