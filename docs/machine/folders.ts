import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

/** What the site serves as it is. */
export const publicFolder = join(import.meta.dirname, "..", "public");

/** The folders in it that hold nothing but generated documents. */
export const folders = ["openapi", "asyncapi", "schemas"] as const;
