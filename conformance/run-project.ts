import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { install, tarballs } from "../tools/install.ts";
import type { Finding } from "./setting.ts";

type Names = Readonly<Record<string, string>>;

/** Installs the packed packages into a copy of a user's project, and runs its tests. */
export async function runProject(project: string, folder: string): Promise<Finding[]> {
  cpSync(project, folder, { recursive: true });
  const file = join(folder, "package.json");
  const {
    dependencies = {},
    devDependencies = {},
    ...own
  } = JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Names; devDependencies?: Names };
  const direct = { ...dependencies, ...devDependencies };
  const packed = (names: Names) =>
    Object.fromEntries(
      Object.entries(names).map(([name, range]) => [name, tarballs[name] ?? range]),
    );
  const behind = Object.entries(tarballs).filter(([name]) => !(name in direct));
  const manifest = {
    ...own,
    dependencies: packed(dependencies),
    devDependencies: packed(devDependencies),
    overrides: Object.fromEntries(behind),
  };
  writeFileSync(file, JSON.stringify(manifest));
  await install(folder);
  const printed = await exec("npm", ["test"], { cwd: folder });
  const title = "the project of a user works";
  return [printed.trim().split("\n").at(-1) === "ok" ? { title } : { title, error: printed }];
}
