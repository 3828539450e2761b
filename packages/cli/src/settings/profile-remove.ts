import type { Run } from "../command.ts";
import { profileNamed, readProfiles, writeProfiles } from "./profiles.ts";

/** Removes a profile with its keys. */
export const run: Run = async ({ env, output }, { arguments: [name = ""] }) => {
  const { used, profiles } = await readProfiles(env);
  profileNamed(profiles, name);
  const { [name]: _removed, ...rest } = profiles;
  await writeProfiles(env, { used: used === name ? undefined : used, profiles: rest });
  output.note(`${name} was removed.`);
};
