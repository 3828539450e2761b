const MOST_LINES = 6;
const FRAME = /^ {4}at .*\n?/gm;
/** Parts of an output that differ from run to run. A warning that is printed once a minute depends on the samples before. */
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/^.*This is printed once a minute.*\n?/gm, ""],
  [FRAME, ""],
  [/(127\.0\.0\.1|localhost):\d+/g, "$1:…"],
  [/'server\.port': \d+/g, "'server.port': …"],
  [/\b\d+ ms\b/g, "… ms"],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, "…"],
  [/t=\d+,v1=\w+/g, "t=…,v1=…"],
];

/** Leaves out the frames of stacks. */
export function withoutFrames(output: string): string {
  return output.replace(FRAME, "").trimEnd();
}

/** Leaves out what differs from run to run. */
export function stable(output: string): string {
  return UNSTABLE.reduce((text, [part, other]) => text.replace(part, other), output).trimEnd();
}

/** Returns what a page shows of an output: the stable part of its first lines. */
export function shown(output: string): string {
  const lines = stable(output).split("\n");
  const kept = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines;
  return kept.join("\n");
}
