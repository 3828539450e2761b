/** Returns a variable of the environment. Throws if it is missing, so that a deployment fails and not a delivery. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} in the environment.`);
  return value;
}
