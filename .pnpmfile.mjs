const UNWANTED_PEERS = { msw: ["graphql", "vite"] };

// Inside the workspace the exports condition "fieldmesh-source" leads tsc, vitest and editors to
// src, so that nothing has to be built first. What is published has no such condition, and no src.
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
    for (const entry of Object.values({ ...manifest.exports, ...manifest.imports }))
      delete entry["fieldmesh-source"];
    // pnpm turns the short form into an object, where it is no valid address any more.
    if (manifest.repository?.url) manifest.repository = manifest.repository.url;
    return manifest;
  },
};
