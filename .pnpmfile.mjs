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
    return manifest;
  },
};
