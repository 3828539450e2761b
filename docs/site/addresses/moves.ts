/** Where the paragraphs of a page went. */
export interface Move {
  /** The page, and the heading below which its beginning is now. A heading that is not in `headings` has kept its name there. */
  readonly page?: string;
  /** Headings that have another name or are on another page. Those of a page that is still there have kept their place otherwise. */
  readonly headings?: Readonly<Record<string, string>>;
}

/** Pages of the project, which were guides. */
const PROJECT = [
  "availability",
  "comparison",
  "documents",
  "gauntlet",
  "how-it-is-tested",
  "roadmap",
  "supported-versions",
];

const CANCELING = "guides/clients#timeouts-and-canceling-a-request";
const LEAVE = "guides/leave-for-chirpstack-or-the-things-stack";

/** Every address that has moved, without `.html`. Links to it are in books, in issues and in published packages: never remove a row. */
export const MOVES: Readonly<Record<string, Move>> = {
  ...Object.fromEntries(PROJECT.map((name) => [`guides/${name}`, { page: `project/${name}` }])),
  "guides/timeouts-and-cancellation": {
    page: CANCELING,
    headings: { "timeouts-and-cancellation": CANCELING },
  },
  "guides/clients": { headings: { "timeouts-and-cancellation": CANCELING } },
  "guides/proxies-and-agents": { page: "guides/clients#proxies-and-agents" },
  "guides/secrets": {
    page: "guides/security#secrets",
    headings: {
      "secrets-and-storing-them": "guides/security#secrets",
      "in-hooks-and-logs": "guides/security#what-never-leaks",
    },
  },
  "guides/large-fleets": {
    page: "guides/paging#a-device-list-of-any-size",
    headings: { "large-fleets": "guides/paging#a-device-list-of-any-size" },
  },
  "guides/testing-handlers": {
    page: "guides/prove-your-handlers",
    headings: { "testing-handlers": "guides/prove-your-handlers" },
  },
  "guides/watch-what-happens": {
    page: "guides/try-webhooks-locally#the-page-of-the-sandbox",
    headings: { "watch-what-happens": "guides/try-webhooks-locally#the-page-of-the-sandbox" },
  },
  "guides/try-webhooks-locally": {
    headings: { "try-webhooks-locally": "guides/try-webhooks-locally" },
  },
  "guides/production": { headings: { "running-in-production": "guides/production" } },
  "guides/move-a-fleet": {
    headings: {
      "leave-for-another-network-server": LEAVE,
      "write-a-file-instead": `${LEAVE}#write-a-file-instead`,
    },
  },
  "guides/webhooks": {
    headings: {
      "webhooks-verify-parse-route": "guides/webhooks",
      "when-it-does-not-verify": "guides/receiving-webhooks#when-it-does-not-verify",
      "check-the-subscription": "guides/receiving-webhooks#check-the-subscription",
    },
  },
  "guides/receiving-webhooks": {
    headings: {
      "receiving-webhooks-lose-nothing": "guides/receiving-webhooks",
      "a-store-of-your-own": "guides/webhooks#a-store-of-your-own",
      "events-that-keep-failing": "guides/webhooks#events-that-keep-failing",
      order: "guides/webhooks#order",
      "without-http": "guides/webhooks#without-http",
      "many-tenants-behind-one-path": "guides/webhooks#many-tenants-behind-one-path",
    },
  },
};

/** Returns where an address such as `guides/secrets#storing` leads today, without `.html`. */
export function currentAddress(address: string): string {
  const [path = "", heading = ""] = address.split("#");
  const { page, headings } = MOVES[path] ?? {};
  const moved = headings?.[heading];
  if (moved !== undefined) return moved;
  if (page === undefined) return address;
  return heading === "" ? page : `${page.split("#")[0]}#${heading}`;
}
