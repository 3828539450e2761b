// npm run generate -- samples: formats the code blocks of the pages, runs the samples, and writes what they print below them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/packages.ts";
import { openSamples } from "./sample-run.ts";
import { formatBlocks, nameOf, pagesWithSamples, readSamples, SAMPLE } from "./samples.ts";

await formatBlocks(rewrite);
const samples = readSamples();
const runs = await openSamples(samples);
const outputs = new Map<string, string>();
for (const { name, isExecuted } of samples) if (isExecuted) outputs.set(name, await runs.run(name));
await runs.close();
rewrite((text, page) => {
  let index = 0;
  return text.replace(SAMPLE, (_, block: string) => {
    const output = outputs.get(nameOf(page, index++)) ?? "";
    return output === "" ? block : `${block}\n\n\`\`\`text output\n${output}\n\`\`\``;
  });
});
// Samples leave servers and timers behind.
process.exit();

function rewrite(change: (text: string, page: string) => string): void {
  for (const page of pagesWithSamples()) {
    const file = join(root, page);
    const text = readFileSync(file, "utf8");
    const changed = change(text, page);
    if (changed !== text) writeFileSync(file, changed);
  }
}
