import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CliError } from "../../exit-codes.ts";
import { installCommand } from "./install-command.ts";
import type { ServerOptions, TargetServer } from "./target-server.ts";

/** What only ChirpStack needs: 12 MB and an install script, which nobody else should get. */
export const CHIRPSTACK_PACKAGES = ["@chirpstack/chirpstack-api@4", "@grpc/grpc-js@1"] as const;

/** Loads what talks to ChirpStack. Throws a CliError with the command that installs it if it is missing. */
export async function loadChirpStack(): Promise<(options: ServerOptions) => TargetServer> {
  try {
    return (await import("./chirpstack-server.ts")).openChirpStack;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const command = installCommand(CHIRPSTACK_PACKAGES, {
      file: realpathSync(fileURLToPath(import.meta.url)),
      folder: process.cwd(),
      args: process.argv.slice(2),
    });
    throw new CliError(
      `ChirpStack needs two packages that are not installed with the command line. Run: ${command}`,
    );
  }
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && /'@(?:chirpstack|grpc)\//.test(message);
}
