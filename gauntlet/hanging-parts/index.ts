import { bulkWaits } from "./rows/bulk.ts";
import { callersWaits } from "./rows/callers.ts";
import { handlersWaits } from "./rows/handlers.ts";
import { httpWaits } from "./rows/http.ts";
import { lentWaits } from "./rows/lent.ts";
import { queueWaits } from "./rows/queue.ts";
import { receiverWaits } from "./rows/receiver.ts";
import type { Wait } from "./row.ts";

/** All waits for something foreign. A new one is a row in a file of `rows`. */
export const waits: readonly Wait[] = [
  ...httpWaits,
  ...callersWaits,
  ...bulkWaits,
  ...receiverWaits,
  ...handlersWaits,
  ...queueWaits,
  ...lentWaits,
];
