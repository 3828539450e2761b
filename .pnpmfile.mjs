// Inside the workspace the exports condition "fieldmesh-source" leads tsc, vitest and editors to
// src, so that nothing has to be built first. What is published has no such condition, and no src.
export const hooks = {
  beforePacking(manifest) {
    for (const entry of Object.values({ ...manifest.exports, ...manifest.imports }))
      delete entry["fieldmesh-source"];
    // pnpm turns the short form into an object, where it is no valid address any more.
    if (manifest.repository?.url) manifest.repository = manifest.repository.url;
    return manifest;
  },
};
