/**
 * Finds what goes wrong with a value on its way from an environment variable: nothing, the word `undefined`, quotes, a placeholder.
 * Returns the end of a sentence that says what to do, without the value; `undefined` where none of these is found.
 *
 * @example
 * ```ts
 * findSettingMistake('"key"'); // "is in quotes, …"
 * ```
 */
export function findSettingMistake(text: string): string | undefined {
  if (text.trim() === "") return "is empty. Is the environment variable set?";
  if (/^(undefined|null)$/.test(text))
    return `is the word ${text}. Was a variable that is not set written into a string? Set it.`;
  if (/^(["'`]).*\1$/s.test(text))
    return "is in quotes, which count as a part of it. Remove them where the variable is set.";
  if (/^(\$\{.*\}|\$[A-Z_]+|%[A-Z_]+%|<.*>|\{\{.*\}\})$/.test(text))
    return "is a placeholder that nothing has filled in. Set the variable that it names.";
  return undefined;
}
