import type { Command, Option } from "commander";

/** Returns the candidates for the end of a command line, each with a description. Without any, the shell completes files. */
export async function complete(
  program: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const last = words.at(-1) ?? "";
  const place = read(program, words.slice(0, -1));
  const all = [
    ...candidates(program, place, last),
    ...(await valuesOf(place, last, env)),
    ...(place.waiting === undefined ? await shortcuts(words.slice(0, -1), last) : []),
  ].filter(([word]) => word.startsWith(last));
  // A resource can be a group too, and has several commands. The first line about a word counts.
  return [...new Map(all.toReversed())]
    .toReversed()
    .map(([word, about]) => `${word}\t${about.replace(/\s+/g, " ")}`);
}

/** Returns the words of lines that leave out the service, once the first letter of a resource is typed. */
async function shortcuts(before: readonly string[], last: string): Promise<readonly Candidate[]> {
  const isStart = before.every((word) => word.startsWith("-"));
  if (last.startsWith("-") || (isStart && last === "")) return [];
  const { nextWithoutService } = await import("../rows/with-service.ts");
  return nextWithoutService(before);
}

/** Returns event types and the names of profiles, which the commands do not list as choices. */
async function valuesOf(
  { command, given, waiting }: Place,
  last: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly Candidate[]> {
  if (waiting === undefined && last.startsWith("-")) return [];
  const argument = waiting === undefined ? command.registeredArguments[given]?.name() : undefined;
  const isProfile = command.parent?.name() === "profile" && argument === "name";
  if (isProfile || waiting?.long === "--profile") {
    const { readProfiles } = await import("../settings/profiles.ts");
    return plain(Object.keys((await readProfiles(env)).profiles));
  }
  if (argument !== "type" && waiting?.long !== "--type") return [];
  return plain((await import("@fieldmesh/webhook-types")).eventTypes);
}

/** The position at the end of a command line. */
interface Place {
  readonly command: Command;
  /** The number of arguments so far. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
}

function read(program: Command, words: readonly string[]): Place {
  let [command, given, waiting]: [Command, number, Option | undefined] = [program, 0, undefined];
  for (const word of words) {
    if (waiting !== undefined) waiting = undefined;
    else if (word.startsWith("-"))
      waiting = optionsOf(program, command).find(({ long, required }) => long === word && required);
    else {
      const inner = command.commands.find((each) => each.name() === word);
      if (inner === undefined) given++;
      else command = inner;
    }
  }
  return { command, given, waiting };
}

function optionsOf(program: Command, command: Command): readonly Option[] {
  return [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden);
}

type Candidate = readonly [word: string, about: string];

function candidates(
  program: Command,
  { command, given, waiting }: Place,
  last: string,
): readonly Candidate[] {
  if (waiting !== undefined) return plain(waiting.argChoices);
  if (last.startsWith("-"))
    return [
      ...optionsOf(program, command).map(
        ({ long, description }) => [long ?? "", description] as const,
      ),
      ["--help", "show this help"],
    ];
  if (command.commands.length === 0) return plain(command.registeredArguments[given]?.argChoices);
  return given > 0 ? [] : command.commands.map((each) => [each.name(), each.summary()]);
}

function plain(words: readonly string[] = []): readonly Candidate[] {
  return words.map((word) => [word, ""]);
}
