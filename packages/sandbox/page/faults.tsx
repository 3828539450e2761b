import { Disturbances } from "./disturbances.tsx";
import { RandomFaults } from "./random-faults.tsx";
import { FaultRules } from "./fault-rules.tsx";
import { useStore } from "./store.ts";

/** The faults of requests, and the disturbances of deliveries. */
export function Faults() {
  const { settings } = useStore();
  if (settings === undefined) return <p class="note">Loading …</p>;
  return (
    <div class="panel">
      <FaultRules settings={settings} />
      <RandomFaults faults={settings.faults} />
      <Disturbances key={JSON.stringify(settings.disturbance)} disturbance={settings.disturbance} />
    </div>
  );
}
