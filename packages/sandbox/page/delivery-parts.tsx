import type { DeliveryRow } from "../src/engine/controls/wire.ts";
import { timeAt, useNow } from "./clock-bar.tsx";
import { type Tone, until } from "./format.ts";
import { state } from "./store.ts";

/** The tone of a status. */
export const TONES: Readonly<Record<DeliveryRow["status"], Tone>> = {
  pending: "warn",
  delivered: "good",
  dead: "bad",
};

/** How long it is until a time of the sandbox's clock. */
export function Until({ time }: { time: number }) {
  const now = useNow();
  const { clock } = state;
  if (clock === undefined) return null;
  return <>{until(time - timeAt(clock, now))}</>;
}

/** The address of an endpoint. */
export function urlOf(endpointId: string): string {
  return (
    state.settings?.endpoints.find(({ id }) => id === endpointId)?.url ?? `${endpointId} (removed)`
  );
}
