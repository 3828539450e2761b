import type { Run } from "../command.ts";
import { readProfiles } from "./profiles.ts";

/** Lists the profiles. Shows whether a service has a key, and never the key. */
export const run: Run = async ({ env, output }) => {
  const { used, profiles } = await readProfiles(env);
  await output.records(
    Object.entries(profiles).flatMap(([name, profile]) =>
      Object.entries(profile).map(([service, { url, key }]) => ({
        name,
        used: name === used,
        service,
        url,
        key: key !== undefined,
      })),
    ),
    ["name", "used", "service", "url", "key"],
  );
};
