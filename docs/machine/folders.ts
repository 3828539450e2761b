import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

/** What the site serves as it is. */
export const publicFolder = join(import.meta.dirname, "..", "public");

/** The folders in it that hold nothing but generated documents. `publish` adds the documents that repeat the schemas of events. */
export const folders = ["openapi", "schemas"] as const;
