import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages, root } from "../../tools/packages.ts";
import { thirdParty, withFacts } from "./facts.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/project/evaluate.md");
const lean = packages.filter(({ id }) => id.endsWith("-client") || id === "webhook-types");

test.for([
  "README.md",
  "SECURITY.md",
  "docs/guides/getting-started.md",
  "docs/guides/security.md",
  "docs/project/evaluate.md",
])("%s says what the clients and webhook-types depend on", (path) => {
  expect(read(path)).toContain(
    "The clients and `webhook-types` depend only on ky, zod and each other.",
  );
  expect(lean.length).toBe(5);
  expect([...new Set(lean.flatMap(thirdParty))].sort()).toEqual(["ky", "zod"]);
});

test("all packages have the license and the oldest Node that the page states", () => {
  for (const { manifest } of packages) {
    expect(page).toContain(`${manifest.license}, for all packages`);
    expect(page).toContain(`Node ${manifest.engines.node.replace(">=", "")} and later`);
  }
  expect(read("LICENSE")).toMatch(/^MIT License\n/);
});

test.for(["six months", "three\\s+months", "last minor release of the previous major version"])(
  "SUPPORT and the pages for evaluators promise the same: %s",
  (promise) => {
    const words = new RegExp(promise.replaceAll(" ", "\\s+"));
    expect(read("SUPPORT.md")).toMatch(words);
    expect(page).toMatch(words);
    expect(read("docs/project/supported-versions.md")).toMatch(words);
  },
);

test("until a version is released, the page says that nothing is on npm", () => {
  const isReleased = packages.some(({ manifest }) => manifest.version !== "0.0.0");
  expect(page.includes("not published yet")).toBe(!isReleased);
  expect(read("README.md").includes("not on npm yet")).toBe(!isReleased);
});

test("after a release, the page names the version and npm", () => {
  const [text = ""] = withFacts("1.2.3").values();
  expect(text).toContain("`1.2.3`");
  expect(text).toContain("https://www.npmjs.com/package/");
  expect(text).not.toContain("not published yet");
});
