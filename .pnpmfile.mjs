const UNWANTED_PEERS = { msw: ["graphql", "vite"] };

export const hooks = {
  // Optional peers of these would give each folder an MSW of its own, whose types do not fit each other.
  readPackage(manifest) {
    for (const peer of UNWANTED_PEERS[manifest.name] ?? []) {
      delete manifest.peerDependencies?.[peer];
      delete manifest.peerDependenciesMeta?.[peer];
    }
    return manifest;
  },
  beforePacking(manifest) {
    // pnpm turns the short form into an object, where it is no valid address any more.
    if (manifest.repository?.url) manifest.repository = manifest.repository.url;
    pointToBuild(manifest);
    // They build and test in this workspace.
    delete manifest.scripts;
    return manifest;
  },
};

/** In the workspace, a package points to its sources; packed, to what tools/tsup.config.ts makes of them. */
function pointToBuild(manifest) {
  const { main, types, exports, imports } = manifest;
  if (main) manifest.main = built(main, ".cjs");
  if (main) manifest.module = built(main, ".js");
  if (types) manifest.types = built(types, ".d.ts");
  manifest.exports = mapValues(exports, (source) =>
    // package.json itself, which tools read.
    source.endsWith(".json")
      ? source
      : {
          import: { types: built(source, ".d.ts"), default: built(source, ".js") },
          require: { types: built(source, ".d.cts"), default: built(source, ".cjs") },
        },
  );
  if (!imports) return;
  manifest.imports = mapValues(imports, (conditions) =>
    mapValues(conditions, (source) => ({
      import: built(source, ".js"),
      require: built(source, ".cjs"),
    })),
  );
}

function built(source, extension) {
  return source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, extension);
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
