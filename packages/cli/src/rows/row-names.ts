import { camelCase } from "@fieldmesh/sandbox/internal";
import type { Field } from "./row.ts";

/** Returns the words of the client's method, such as `labels` and `create`, from the path of the command. */
export function methodOf(path: string): readonly string[] {
  return path.split(" ").slice(1).map(camelCase);
}

/** Returns the name of the option of a field, such as `app-eui`. */
export function optionOf({ name, kind }: Field): string | undefined {
  if (kind === undefined) return undefined;
  return name.replace(/[A-Z]/g, "-$&").replaceAll("_", "-").toLowerCase();
}
