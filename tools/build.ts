// Builds the packages whose inputs have changed: node tools/build.ts
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf, isDone, remember } from "./cache.ts";
import { CommandError, exec } from "./exec.ts";
import { type Package, packages, root } from "./packages.ts";
import { createSlots } from "./slots.ts";

/** What every build depends on besides the sources. */
const shared = ["pnpm-lock.yaml", "tsconfig.base.json", "tools/tsup.ts"].map((file) =>
  join(root, file),
);

/** Brings every dist up to date, and gives the packages that had to be built. */
export async function buildStale(): Promise<string[]> {
  const stale = packages.filter((each) => !isDone(`build/${each.id}`, stateOf(each)));
  const inSlot = createSlots();
  // The order does not matter: a build reads the sources of the other packages, never their output.
  await Promise.all(stale.map((each) => inSlot(() => build(each))));
  return stale.map(({ id }) => id);
}

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

if (import.meta.main) {
  try {
    const built = await buildStale();
    console.log(built.length > 0 ? `built ${built.join(", ")}` : "everything is up to date");
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.output);
    process.exitCode = 1;
  }
}
