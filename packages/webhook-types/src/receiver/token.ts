let processName: string | undefined;
let claims = 0;

/** Different for every claim of every process. A UUID for each would take as long as a claim in memory. */
export function newToken(): string {
  processName ??= crypto.randomUUID();
  claims += 1;
  return `${processName}:${claims}`;
}
