import { mistake, recordOf } from "@fieldmesh/core/internal";
import type { Overrides } from "@fieldmesh/webhook-types/samples";
import { isKnown } from "../webhooks/sampled-event.ts";
import type { Handler } from "../serve/serve.ts";
import type { FoundRecord, RecordSource } from "./find-record.ts";
import type { RecordAction } from "./wire.ts";

/** What can be done with a SIM in each state, which its last event shows. */
const SIM_ACTIONS: Readonly<Record<string, readonly RecordAction[]>> = {
  provisioned: [trigger("Activate", "sim.activated")],
  active: [trigger("Suspend", "sim.suspended"), trigger("Deactivate", "sim.deactivated")],
  suspended: [trigger("Restore", "sim.restored"), trigger("Deactivate", "sim.deactivated")],
  deactivated: [trigger("Reinstate", "sim.reinstated")],
};

/** Returns what can be done with a record now. */
export function actionsOf(found: FoundRecord): readonly RecordAction[] {
  if (found.kind === "device")
    return [
      { name: "send_uplink", label: "Send an uplink" },
      found.device.active
        ? { name: "deactivate", label: "Deactivate" }
        : { name: "activate", label: "Activate" },
    ];
  const other = { name: "trigger", label: "Send another event" };
  if (found.kind === "sim") {
    const { state } = recordOf(found.last.data["object"]);
    return [...((typeof state === "string" && SIM_ACTIONS[state]) || []), other];
  }
  const isLocked = found.subscriber["locked_status"] === "locked";
  const lock = isLocked
    ? trigger("Unlock", "subscriber.unlocked")
    : trigger("Lock", "subscriber.locked");
  return [lock, other];
}

function trigger(label: string, type: string): RecordAction {
  return { name: "trigger", label, type };
}

interface ActingSource extends RecordSource {
  readonly handler: Handler;
}

/** Does what an action names. Throws a TypeError if it is not possible now. */
export async function act(
  source: ActingSource,
  found: FoundRecord,
  { name, type = "" }: { readonly name: string; readonly type?: string | undefined },
): Promise<void> {
  if (!actionsOf(found).some((each) => each.name === name))
    throw mistake(`This ${found.kind} has no action ${name} now.`);
  if (found.kind !== "device") return triggerFor(source, found, type);
  const { id } = found.device;
  if (name === "send_uplink")
    return void (await source.served.console.sendUplink({ device_id: id }));
  await setActive(source, id, name === "activate");
}

/** As a client would, so that the log shows it and going back undoes it. */
async function setActive({ served, handler }: ActingSource, id: string, active: boolean) {
  const { prefix, apiKey } = served.console;
  const response = await handler(
    new Request(`http://sandbox.invalid${prefix}/api/v1/devices/${id}`, {
      method: "PUT",
      headers: { key: apiKey, "content-type": "application/json" },
      body: JSON.stringify({ active }),
    }),
  ).catch(() => undefined);
  if (response?.ok !== true)
    throw mistake(
      `The console ${response === undefined ? "broke the connection" : `responded ${response.status}`}: see the requests, and the faults.`,
    );
}

/** Makes an event of a record, with the ids that the last one had. */
async function triggerFor(
  { webhooks }: ActingSource,
  found: Exclude<FoundRecord, { kind: "device" }>,
  type: string,
): Promise<void> {
  const [id = ""] = found.ids;
  if (!isKnown(type) || !type.startsWith(`${found.kind}.`))
    throw mistake(`type must be an event type of a ${found.kind}, such as ${found.kind}.updated.`);
  const isSim = found.kind === "sim";
  const { subscription_id, subscriber_id } = recordOf(isSim && found.last.data["object"]);
  const { livemode } = isSim ? found.last : found.subscriber;
  const known = Object.entries({ id, subscription_id, subscriber_id });
  const object = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  await webhooks.trigger(type, { livemode, data: { object } } as Overrides<never>);
}
