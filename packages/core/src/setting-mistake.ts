/**
 * Finds a common mistake in a value from an environment variable: an empty string, the word `undefined`, quotes, or a
 * placeholder. Returns the end of a sentence that says what to do, without the value. Returns `undefined` if it finds none.
 */
export function findSettingMistake(text: string): string | undefined {
  if (text.trim() === "") return "is empty. Is the environment variable set?";
  if (/^(undefined|null)$/.test(text))
    return `is the word ${text}. Set the variable: an unset one was probably written into a string.`;
  if (/^(["'`]).*\1$/s.test(text))
    return "is in quotes, which become part of the value. Remove them where you set the variable.";
  if (/^(\$\{.*\}|\$[A-Z_]+|%[A-Z_]+%|<.*>|\{\{.*\}\})$/.test(text))
    return "is a placeholder that was never replaced. Set the variable that it names.";
  return undefined;
}
