import { writeFiles } from "../../tools/files.ts";
import { generate } from "./generate.ts";

/** Writes every document into a folder, as the site and a release have them. */
export function publish(folder: string): void {
  writeFiles(generate().published, folder);
}
