// The webhooks' chapter of the tour: a receiver, and what happens to deliveries.
import { styleText } from "node:util";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import {
  createReceiver,
  type DeliveryReport,
  memoryStore,
} from "@fieldmesh/webhook-types/receiver";
import { listen } from "./listen.ts";
import { beat, createLiveLines, fits, printCode, prove, rowLines, say } from "./screen.ts";

const HALF_A_MINUTE = 30_000;
const HEADINGS = ["event", "what happens", "attempts", "receiver", "delivery"];
const WIDTHS = [14, 25, 13, 10, 9];
/** For a narrow terminal, where a row has several lines. */
const NARROW = [13, 12, 8, 9, 9];
/** A row of the wide table. */
const WIDE = 77;
const COLORS: Readonly<Record<string, "red" | "yellow" | "green">> = {
  broken: "red",
  duplicate: "yellow",
  pending: "yellow",
  delivered: "green",
};
const secret = "whsec_of_the_whole_tour";

/** Delivers events of a sandbox to a receiver, and disrupts their deliveries. */
export async function tourWebhooks(sandbox: RunningSandbox): Promise<void> {
  const { clock, webhooks } = sandbox;
  const activated: string[] = [];
  const unknownTypes: string[] = [];
  const reports: DeliveryReport[] = [];
  let isDying = false;
  /** The work of the handler. */
  async function activate(event: { id: string }): Promise<void> {
    if (isDying) {
      server.breakConnections();
      await new Promise(() => {});
    }
    activated.push(event.id);
  }
  // A process has its own memory; several share a store in Redis or PostgreSQL.
  function startReceiver() {
    const store = memoryStore({ clock });
    const onOutcome = (report: DeliveryReport) => void reports.push(report);
    const create = () =>
      createReceiver({
        secret,
        store,
        handlers: {
          "sim.activated": (event) => activate(event),
          otherwise: ({ type }) => unknownTypes.push(type),
        },
        onOutcome,
        clock,
      });
    return { create, listener: toNodeHandler(create()) };
  }

  let { create, listener } = startReceiver();
  const server = await listen((req, res) => void listener(req, res));
  const url = `${server.origin}/hooks`;
  const endpoint = webhooks.register({ url, secret, enabled_events: ["*", "sim.activated"] });
  say("A receiver responds with 2xx only after its handlers finish:");
  printCode(create);

  say("The sandbox delivers events, and disrupts some of the deliveries:");
  const happenings: string[] = [];
  const deliveries = () => webhooks.deliveries().filter((each) => each.endpoint_id === endpoint.id);
  const draw = createLiveLines();
  const redraw = (isLast = false): void => {
    const order = [...new Set(deliveries().map(({ event_id }) => event_id))];
    const seen = new Map<string, number>();
    const rows = deliveries().map(({ event_id, type, attempts, status }) => {
      const count = seen.get(event_id) ?? 0;
      seen.set(event_id, count + 1);
      const outcome = reports.filter(({ event }) => event?.id === event_id)[count]?.outcome;
      const statuses = attempts.map((attempt) => attempt.status ?? "broken").join(", ");
      return [type, happenings[order.indexOf(event_id)]!, statuses, outcome ?? "", status];
    });
    draw([HEADINGS, ...rows].flatMap(formatRow), isLast);
  };
  const happen = async (happening: string, type: string): Promise<void> => {
    happenings.push(happening);
    // One of them is not in the catalog.
    await webhooks.trigger(type, {}, { unknown: true });
    redraw();
    await beat();
  };

  await happen("first delivery", "sim.activated");
  webhooks.disturb({ duplicates: 1 });
  await happen("sent twice", "sim.activated");
  webhooks.disturb({});
  isDying = true;
  await happen("crash in the handler", "sim.activated");
  isDying = false;
  ({ create, listener } = startReceiver());
  await webhooks.advance(HALF_A_MINUTE);
  redraw();
  await beat();
  await happen("newer than this version", "drone.landed");
  redraw(true);

  const events = new Set(
    deliveries()
      .filter(({ type }) => type === "sim.activated")
      .map(({ event_id }) => event_id),
  );
  prove(
    "No event lost, none handled twice",
    activated.length === 3 && new Set(activated).size === 3 && events.size === 3,
    `${events.size} events, ${activated.length} activations; the event whose handler crashed was delivered again after 30 seconds`,
  );
  prove(
    "No closed enum",
    unknownTypes.join() === "drone.landed",
    "drone.landed, which this version does not know, reaches the handler `otherwise`",
  );
  webhooks.unregister(endpoint.id);
  server.close();
}

/** Returns the lines of a row: its cells as wide as the columns, and some colored. */
function formatRow(cells: readonly string[], row: number): string[] {
  return rowLines(cells, fits(WIDE) ? WIDTHS : NARROW).map((line) =>
    row === 0
      ? styleText("bold", line)
      : line.replaceAll(/broken|duplicate|delivered$|pending$/g, (word) =>
          styleText(COLORS[word]!, word),
        ),
  );
}
