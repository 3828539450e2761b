// npm run <group> -- <name> [arguments]: runs a command of a group. Without a name, it runs what the group does as a whole, or lists
// the names. npm run help lists what people type.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { groups, scripts } from "./command-table.ts";
import { root } from "./packages.ts";

const [group = "", name, ...args] = process.argv.slice(2);
if (group === "help") {
  console.log(listOf("npm run:", Object.entries(scripts)));
  process.exit(0);
}
const commands = groups[group] ?? {};
const wanted =
  name === undefined
    ? Object.values(commands).filter(({ always }) => always)
    : [commands[name] ?? []].flat();
if (wanted.length === 0) {
  const lines = Object.entries(commands).map(([each, { does }]) => [each, does] as const);
  const list = listOf(`Use one of these after npm run ${group} --:`, lines);
  if (name === "help") console.log(list);
  else console.error(list);
  process.exit(name === "help" ? 0 : 2);
}
if (args.includes("--help")) {
  const lines = wanted.map(({ does }) => [name ?? "", does] as const);
  console.log(listOf(`npm run ${group} --:`, lines));
  process.exit(0);
}
for (const { steps } of wanted) {
  steps.forEach((step, index) =>
    run([...step.split(" "), ...(index === steps.length - 1 ? args : [])]),
  );
}

function listOf(
  title: string,
  lines: readonly (readonly [command: string, does: string])[],
): string {
  return [title, ...lines.map(([command, does]) => `  ${command.padEnd(16)} ${does}`)].join("\n");
}

function run(command: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, "tools", "run.mjs"), ...command], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
