import { spawnSync } from "node:child_process";
import fc from "fast-check";

const COMMANDS = {
  bash: ["bash", "--norc", "--noprofile"],
  zsh: ["zsh", "-f"],
  // They search the history for `!`.
  "an interactive bash": ["bash", "--norc", "--noprofile", "-i"],
  "an interactive zsh": ["zsh", "-f", "-i"],
} as const;

/** The shells that a command is pasted into. `why` says that one is not there. */
export const shells = Object.entries(COMMANDS).map(([name, command]) => {
  const isThere = spawnSync(command[0], ["-c", ":"]).error === undefined;
  return { name, command, why: isThere ? undefined : `there is no ${command[0]}` };
});

/** What a shell, its history or a terminal obeys somewhere. `ran` would be a file. */
const PIECES = [
  ...Array.from("'\"`\\$!~*?#@% \n\r\t\0\u009B\u202E\u2028é😀"),
  ..."!! ^a^b =ls -rf -- $IFS ${PATH} {a,b} [1-3] \uE000PATH\uE000".split(" "),
  ..."$(touch ran)|`touch ran`|; touch ran;|&& touch ran|'; touch ran; '|\"; touch ran; \"".split(
    "|",
  ),
  ..."\\'; touch ran; '|<(touch ran)|\ntouch ran\n|\nJSON\ntouch ran\n|\u0003touch ran\n".split(
    "|",
  ),
  "\u001B[201~\ntouch ran\n",
];

/** A string of such pieces, or any other one. */
export const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
  fc.string({ unit: "grapheme" }),
);
