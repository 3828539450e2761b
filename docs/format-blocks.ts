import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { SAMPLE_WIDTH } from "./samples.ts";

const BLOCK = /^(```(ts|js|json)\b.*\n)([^]*?)^```$/gm;

/** Formats the code blocks of pages to a width that fits the column of the site. `rewrite` changes each page, and is called twice. */
export async function formatBlocks(
  rewrite: (change: (text: string, page: string) => string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  const config = join(folder, "oxfmt.json");
  const fileOf = (page: string, index: number, language: string): string =>
    join(folder, `${page.replaceAll(/\W/g, "-")}-${index}.${language === "ts" ? "mts" : language}`);
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
