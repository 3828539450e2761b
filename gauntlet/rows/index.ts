import { casesOf, type Case } from "../run/cases.ts";
import type { Family } from "../parts/row.ts";
import { aborts } from "./aborts.ts";
import { bodies } from "./bodies.ts";
import { connections } from "./connections.ts";
import { errorBodies, errorBodyCases } from "./error-bodies.ts";
import { headers } from "./headers.ts";
import { bulkCases } from "./misbehaving-parts/bulk.ts";
import { forwarderCases } from "./misbehaving-parts/forwarder.ts";
import { listCases } from "./misbehaving-parts/lists.ts";
import { clientCases } from "./misbehaving-parts/client.ts";
import { receiverCases } from "./misbehaving-parts/receiver.ts";
import { pageCases } from "./pages.ts";
import { proxies } from "./proxies.ts";
import { requestCases } from "./requests.ts";
import { redirects } from "./redirects.ts";
import { statuses } from "./statuses.ts";
import { tlsRows } from "./tls.ts";
import { webhookCases } from "./webhooks.ts";

/** The families whose rows are calls of the console client. */
export const families: readonly Family[] = [
  connections,
  tlsRows,
  redirects,
  bodies,
  errorBodies,
  headers,
  statuses,
  proxies,
  aborts,
];

/** Every case, in the order of the table. */
export const allCases: readonly Case[] = [
  ...families.flatMap((family) => casesOf(family)),
  ...errorBodyCases,
  ...requestCases,
  ...pageCases,
  ...webhookCases,
  ...clientCases,
  ...receiverCases,
  ...bulkCases,
  ...listCases,
  ...forwarderCases,
];
