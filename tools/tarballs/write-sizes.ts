// npm run release -- sizes: writes how large each entry is in a bundle. `npm run test:slow` fails if one has grown by more than a tenth.
import { rmSync } from "node:fs";
import { installConsumer } from "./consumer.ts";
import { type Size, sizeOf, specifiers, writeSizes } from "./sizes.ts";

const folder = await installConsumer([]);
const sizes: Record<string, Size> = {};
for (const specifier of specifiers) sizes[specifier] = await sizeOf(specifier, folder);
rmSync(folder, { recursive: true });
writeSizes(sizes);
