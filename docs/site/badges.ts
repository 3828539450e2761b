import { makeBadge } from "badge-maker";
import { eventTypes } from "@fieldmesh/webhook-types";
import { entriesOf, packages } from "../../tools/packages.ts";

const BLUE = "#0b5cad";
const GREEN = "#0b6e4f";

/** The badges of the README by their file names; what they say is read from the packages. */
export function makeBadges(): Map<string, string> {
  const published = packages.map(({ manifest }) => manifest);
  const engines = new Set(published.map(({ engines: { node } }) => node));
  const outside = published
    // What a program installs is in no program of a user.
    .filter((manifest) => entriesOf(manifest).length > 0)
    .flatMap(({ dependencies = {} }) => Object.keys(dependencies))
    .filter((name) => !name.startsWith("@fieldmesh/"));
  const facts = {
    node: ["node", [...engines].join(", "), GREEN],
    dependencies: ["dependencies", [...new Set(outside)].sort().join(", "), GREEN],
    events: ["typed webhook events", String(eventTypes.length), BLUE],
    packages: ["packages", String(published.length), BLUE],
    license: ["license", [...new Set(published.map(({ license }) => license))].join(", "), BLUE],
  } as const;
  return new Map(
    Object.entries(facts).map(([name, [label, message, color]]) => [
      `${name}.svg`,
      makeBadge({ label, message, color }),
    ]),
  );
}
