/** The pictures that messengers show beside a link, by the first folder of the page. */
export const CARDS = {
  index: ["Program a device network from TypeScript", "Clients, webhooks and a sandbox"],
  guides: ["Guides", "Calls, long lists, bulk runs, webhooks, tests"],
  reference: ["Endpoints", "Console, ledger, mapping ingest, mobile service"],
  events: ["Webhook events", "Fields, samples and typed handlers"],
  api: ["API", "Every export with its types, limits and errors"],
  decisions: ["Decisions", "Why it is built this way"],
} as const;

/** Returns the path of the picture of a page. */
export function cardOf(path: string): string {
  const [part = ""] = path.split(/[/.]/);
  return `cards/${part in CARDS ? part : "guides"}.png`;
}
