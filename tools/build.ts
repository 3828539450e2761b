// Builds the packages whose inputs have changed: node tools/run.mjs node tools/build.ts
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf, isDone, remember } from "./cache.ts";
import { exec } from "./exec.ts";
import { type Package, packages, root } from "./packages.ts";

/** What every build depends on besides the sources. */
const shared = ["pnpm-lock.yaml", "tsconfig.base.json", "tools/tsup.ts"].map((file) =>
  join(root, file),
);

const stale = packages.filter((each) => !isDone(`build/${each.id}`, stateOf(each)));
// The order does not matter: a build reads the sources of the other packages, never their output.
const built = await Promise.all(stale.map((each) => build(each)));
if (built.length > 0) console.error(`fieldmesh: built ${stale.map(({ id }) => id).join(", ")}`);

async function build(each: Package): Promise<void> {
  rmSync(join(each.folder, "dist"), { recursive: true, force: true });
  await exec("tsup", [], { cwd: each.folder });
  remember(`build/${each.id}`, stateOf(each));
}

/** Inputs and output together, so that a dist that somebody changed or removed is built again. */
function stateOf({ id, folder, needs }: Package): string {
  const sources = [id, ...needs].flatMap((name) => [
    join(root, "packages", name, "src"),
    join(root, "packages", name, "package.json"),
  ]);
  return hashOf([...shared, ...sources, join(folder, "tsup.config.ts"), join(folder, "dist")]);
}
