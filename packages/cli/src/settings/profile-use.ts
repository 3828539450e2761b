import type { Run } from "../command.ts";
import { profileNamed, readProfiles, writeProfiles } from "./profiles.ts";

/** Chooses the default profile. */
export const run: Run = async ({ env, output }, { arguments: [name = ""] }) => {
  const { profiles } = await readProfiles(env);
  profileNamed(profiles, name);
  await writeProfiles(env, { used: name, profiles });
  output.note(`${name} is now the default profile.`);
};
