import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Application,
  Comment,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
} from "typedoc";
import { packages, publicEntries } from "../../tools/packages.ts";
import { checkMembers } from "./check-members.ts";
import { linkEndpoints } from "./endpoint-links.ts";
import { ENTRY_TEXTS, inOrder, PARTS } from "./entry-texts.ts";
import {
  cell,
  firstSentence,
  mark,
  outsideCode,
  page,
  table,
  withFrontmatter,
} from "./markdown.ts";

const docs = join(import.meta.dirname, "..");
const root = join(docs, "..");
const out = join(docs, "api");

/** Functions are what a reader calls, and types explain them. */
const KINDS = ["Functions", "Classes", "Variables", "Interfaces", "Type Aliases"];

/** Writes a page for each symbol that a package exports to docs/api, and one that lists those of each entry. */
export async function writeApi(): Promise<void> {
  const entries = entriesByFile();
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...entries.keys()],
    tsconfig: join(root, "tsconfig.json"),
    plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme"],
    out,
    // @ts-expect-error options of the plugins
    docsRoot: docs,
    router: "member",
    indexFormat: "table",
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    typeDeclarationFormat: "table",
    tableColumnSettings: {
      hideDefaults: true,
      hideInherited: true,
      hideModifiers: true,
      hideOverrides: true,
      hideSources: true,
      hideValues: true,
    },
    pageTitleTemplates: { module: "{name}", member: "{name}" },
    groupOrder: KINDS,
    sort: ["alphabetical"],
    // VitePress turns headings with dots into other anchors.
    useHTMLAnchors: true,
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
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
      const entry = entries.get(module.sources?.[0]?.fullFileName ?? "");
      if (entry === undefined) continue;
      module.name = entry.name;
      module.comment = new Comment([{ kind: "text", text: entry.text }]);
      removeSchemas(module, project);
    }
    showMethods(project);
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => forgetBases(project));
  const sources = app.getEntryPoints();
  if (sources === undefined) throw new Error("TypeDoc could not read the packages");
  const project = app.converter.convert(sources);
  for (const reflection of Object.values(project.reflections) as DeclarationReflection[]) {
    // The pages do not show source lines, and the schema of a field is not its default value.
    delete reflection.sources;
    delete reflection.defaultValue;
  }
  await app.generateOutputs(project);
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".md")) fixPage(join(out, file));
  checkMembers(sources[0]!.program, entries, out);
  linkEndpoints(out);
  writeFileSync(join(out, "index.md"), withFrontmatter({}, writeLanding([...entries.values()])));
}

/** Returns the first page of the API: the entries of each package, clients first. */
function writeLanding(entries: readonly Entry[]): string {
  const rowOf = ({ name, text }: Entry): string[] => [`[${name}](./${name}/index.md)`, cell(text)];
  const parts = Object.entries(PARTS).flatMap(([title, ids]) => [
    `## ${title}`,
    table(
      ["import from", "what it is for"],
      inOrder(entries, ({ name }) => name)
        .filter(({ name }) => ids.includes(name.split("/")[1] ?? ""))
        .map(rowOf),
    ),
  ]);
  return page([
    "# API reference",
    "Every export of every package, with its types, limits and errors. Start with the client of your service. To call an endpoint from another language, see [Endpoints](../reference/console.md).",
    ...parts,
  ]);
}

/** A record is an interface and a schema of one name; where only its type is exported, the page of the schema says nothing. */
function removeSchemas(module: DeclarationReflection, project: ProjectReflection): void {
  const isSchema = ({ type, typeParameters }: DeclarationReflection): boolean =>
    type instanceof ReferenceType &&
    /^SchemaOf$|\$ZodType$/.test(type.name) &&
    typeParameters === undefined;
  for (const child of module.children?.filter(isSchema) ?? [])
    if (child.kind === ReflectionKind.TypeAlias) project.removeReflection(child);
}

/** The methods of a resource come from its rows, as properties: they have sections, like other methods. */
function showMethods(project: ProjectReflection): void {
  for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
    if (!(property instanceof DeclarationReflection) || !isFromRow(property)) continue;
    const { signatures = [] } = (property.type as ReflectionType).declaration;
    property.kind = ReflectionKind.Method;
    property.signatures = signatures;
    for (const signature of signatures) {
      signature.name = property.name;
      signature.parent = property;
      if (property.comment !== undefined) signature.comment = property.comment;
    }
    delete property.type;
    delete property.comment;
  }
}

function isFromRow({ type, inheritedFrom }: DeclarationReflection): boolean {
  return type instanceof ReflectionType && /^(Timed)?Methods\./.test(inheritedFrom?.name ?? "");
}

/**
 * A page has every member of its class or interface, wherever it is declared: its first lines say what that extends. What only
 * subclasses and `instanceof` use is left out.
 */
function forgetBases(project: ProjectReflection): void {
  for (const reflection of Object.values(project.reflections)) {
    if (!(reflection instanceof DeclarationReflection)) continue;
    if (reflection.inheritedFrom !== undefined && reflection.flags.isStatic)
      project.removeReflection(reflection);
    for (const part of [reflection, ...(reflection.signatures ?? [])]) {
      delete part.inheritedFrom;
      delete part.overwrites;
    }
  }
}

function fixPage(file: string): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, withFrontmatter({}, markObserved(shortenIndex(fixAnchors(text), file))));
}

/** Marks what is observed, except in code. */
function markObserved(text: string): string {
  return outsideCode(text, (part) => part.replaceAll("(observed)", mark("observed")));
}

/** The list of an entry has the first sentence of each symbol; its page has the others. */
function shortenIndex(text: string, file: string): string {
  return text.replace(
    /^(\| \[[^|]*\]\([^)|]*\.md\) \| )(.*) \|$/gm,
    (_, name: string, description: string) =>
      `${name}${description === "-" && file.includes("/endpoints/") ? rowsOf(name) : firstSentence(description)} |`,
  );
}

/** A table of endpoints has the texts of its rows alone. */
function rowsOf(name: string): string {
  return `The endpoints behind \`client.${/\[(\w+)\]/.exec(name)?.[1]}\`.`;
}

/** TypeDoc names an anchor `sim.wps_changed`, and links to it as `sim.wps-changed`. */
function fixAnchors(text: string): string {
  const ids = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const byLink = new Map(ids.map((id) => [id.replaceAll("_", "-"), id]));
  return text.replace(/\]\(#([^)]+)\)/g, (link, target: string) =>
    ids.includes(target) ? link : `](#${byLink.get(target) ?? target})`,
  );
}

interface Entry {
  /** Its import path. */
  readonly name: string;
  readonly text: string;
}

/** Returns all package entries by their source files. */
function entriesByFile(): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { folder, manifest } of packages)
    for (const [path, source] of publicEntries(manifest))
      entries.set(join(folder, source), {
        name: join(manifest.name, path),
        text: path === "." ? `${manifest.description}.` : textOf(path),
      });
  return entries;
}

function textOf(path: string): string {
  const text = ENTRY_TEXTS[path.replace("./", "")];
  if (text === undefined) throw new Error(`entry-texts.ts does not say what ${path} is for.`);
  return text;
}
