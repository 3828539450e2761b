import type { Run } from "../command.ts";

/** Prints the completion script of a shell. It calls the hidden command `complete` with the words up to the cursor. */
export const run: Run = async ({ output }, { arguments: [shell = ""] }) => {
  await output.file(SCRIPTS[shell] ?? "");
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
    // zsh loads the script from a folder and calls it when it first completes.
    'if [[ "${funcstack[1]}" == _fieldmesh ]]; then',
    '  _fieldmesh "$@"',
    "else",
    "  compdef _fieldmesh fieldmesh",
    "fi",
  ].join("\n"),
  fish: [
    "function __fieldmesh_complete",
    "  set -l words (commandline -opc) (commandline -ct)",
    "  set -l candidates (fieldmesh complete -- $words[2..-1] 2>/dev/null)",
    "  if test (count $candidates) -gt 0",
    "    printf '%s\\n' $candidates",
    "  else",
    "    __fish_complete_path (commandline -ct)",
    "  end",
    "end",
    // Without candidates, the shell completes files.
    "complete -c fieldmesh -f -a '(__fieldmesh_complete)'",
  ].join("\n"),
};
