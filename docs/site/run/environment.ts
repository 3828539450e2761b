import { environmentOf } from "../../sample-environment.ts";
import { startSandbox } from "./sandbox.ts";

/** Starts the sandbox that the samples of a page call, and returns their environment variables. */
export async function createEnvironment(): Promise<Readonly<Record<string, string>>> {
  return environmentOf(await startSandbox({ seed: 1 }));
}
