const LABEL = { id: "4a1d3f0c-6f0d-4d6c-9d3b-0a2f5e8b7c11", name: "Pumps", multi_buy: 1 };

/** What the console responds: its labels, or the one that was created. */
export function bodyFor(method: string | undefined): string {
  return JSON.stringify(method === "POST" ? LABEL : [LABEL]);
}
