const LABEL = { id: "4a1d3f0c-6f0d-4d6c-9d3b-0a2f5e8b7c11", name: "Pumps", multi_buy: 1 };

/** The response of the console: its labels, or the created one. */
export function bodyFor(method: string | undefined): string {
  return JSON.stringify(method === "POST" ? LABEL : [LABEL]);
}
