import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { exec } from "../exec.ts";
import type { Manager } from "./tutorial.ts";

/** The package managers that neither Node nor this workspace contains. */
const PACKAGES: Partial<Record<Manager, string>> = {
  yarn: "@yarnpkg/cli-dist@4.18.1",
  bun: "bun@1.4.5",
};

/** Installs package managers into a folder and returns the folder of their programs. */
export async function installManagers(
  managers: readonly Manager[],
  folder: string,
): Promise<string> {
  const wanted = managers.flatMap((name) => PACKAGES[name] ?? []);
  mkdirSync(folder, { recursive: true });
  if (wanted.length > 0)
    await exec("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, ...wanted]);
  return join(folder, "node_modules", ".bin");
}

/** Returns the environment of a user with an empty home, whose package managers use our registry. */
export function userEnvironment(
  url: string,
  home: string,
  bin: string,
): Record<string, string | undefined> {
  mkdirSync(home, { recursive: true });
  const node = dirname(process.execPath);
  return {
    PATH: [bin, node, process.env["PATH"]].join(delimiter),
    HOME: home,
    NO_COLOR: "1",
    CI: "true",
    npm_config_registry: url,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    PNPM_CONFIG_REGISTRY: url,
    // The test installs packages that were published a minute ago.
    PNPM_CONFIG_MINIMUM_RELEASE_AGE: "0",
    // `pnpm init` writes the version of pnpm, which pnpm then downloads. Not every registry has it for every platform.
    PNPM_CONFIG_PM_ON_FAIL: "ignore",
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_NPM_MINIMAL_AGE_GATE: "0",
    YARN_ENABLE_TELEMETRY: "0",
    // The test installs in a folder without a lockfile.
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    BUN_CONFIG_REGISTRY: url,
    DO_NOT_TRACK: "1",
  };
}
