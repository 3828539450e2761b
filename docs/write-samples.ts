// npm run samples: formats the code blocks of the pages, runs the samples, and writes what they print below them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { root } from "../tools/packages.ts";
import { openSamples } from "./sample-run.ts";
import { nameOf, pagesWithSamples, readSamples, SAMPLE, SAMPLE_WIDTH } from "./samples.ts";

const BLOCK = /^(```(ts|js|json)\b.*\n)([^]*?)^```$/gm;

await formatBlocks();
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

/** Formats code to a width that fits the column of the site. */
async function formatBlocks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  const config = join(folder, "oxfmt.json");
  const fileOf = (page: string, index: number, language: string): string =>
    join(folder, `${nameOf(page, index)}.${language === "ts" ? "mts" : language}`);
  writeFileSync(config, JSON.stringify({ printWidth: SAMPLE_WIDTH }));
  rewrite((text, page) => {
    [...text.matchAll(BLOCK)].forEach(([, , language = "", code = ""], index) =>
      writeFileSync(fileOf(page, index, language), code),
    );
    return text;
  });
  await exec("oxfmt", ["--config", config, folder]);
  rewrite((text, page) => {
    let index = 0;
    return text.replace(BLOCK, (_, head: string, language: string) => {
      const formatted = readFileSync(fileOf(page, index++, language), "utf8");
      return `${head}${formatted}\`\`\``;
    });
  });
  rmSync(folder, { recursive: true });
}

function rewrite(change: (text: string, page: string) => string): void {
  for (const page of pagesWithSamples()) {
    const file = join(root, page);
    const text = readFileSync(file, "utf8");
    const changed = change(text, page);
    if (changed !== text) writeFileSync(file, changed);
  }
}
