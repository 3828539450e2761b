import type { Run } from "../command.ts";

/** Prints the script of a shell, which calls the hidden command `complete` with the words up to the cursor. */
export const run: Run = async ({ output }, { arguments: [shell = ""] }) => {
  await output.line(SCRIPTS[shell] ?? "");
};

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: [
    "_fieldmesh() {",
    "  local IFS=$'\\n'",
    '  COMPREPLY=($(fieldmesh complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))',
    "}",
    "complete -o default -F _fieldmesh fieldmesh",
  ].join("\n"),
  zsh: [
    "#compdef fieldmesh",
    "_fieldmesh() {",
    "  local -a candidates",
    '  candidates=("${(@f)$(fieldmesh complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")',
    '  if [[ -n "${candidates[1]}" ]]; then',
    "    candidates=(\"${(@)candidates/$'\\t'/:}\")",
    "    _describe fieldmesh candidates",
    "  else",
    "    _files",
    "  fi",
    "}",
    "compdef _fieldmesh fieldmesh",
  ].join("\n"),
  fish: [
    "function __fieldmesh_complete",
    "  set -l words (commandline -opc) (commandline -ct)",
    "  fieldmesh complete -- $words[2..-1] 2>/dev/null",
    "end",
    "complete -c fieldmesh -a '(__fieldmesh_complete)'",
  ].join("\n"),
};
