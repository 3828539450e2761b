// node docs/packed/write.ts: writes the guides of each package, and its llms.txt, into its folder, from which they are packed.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../tools/files.ts";
import { packages } from "../../tools/packages.ts";
import { packedDocs } from "./packed-docs.ts";

for (const one of packages) {
  rmSync(join(one.folder, "docs"), { recursive: true, force: true });
  writeFiles(packedDocs(one), one.folder);
}
