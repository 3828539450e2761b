// What @fieldmesh/mirror needs: not covered by semver. Apart, because its parts load schemas.
export { isDeletion, isErasure } from "./events/event-types.ts";
export { didYouMean } from "./events/show-name.ts";
export { isAhead, readEventTime } from "./events/event-time.ts";
export {
  declaredInHidden,
  type PersonalField,
  personalFields,
  signedLinks,
  secretFields,
} from "./events/generated/hidden-fields.ts";
export { isEvent } from "./events/is-event.ts";
export { familyOf, isFamily } from "./events/pattern.ts";
export { readReassignment } from "./events/reassignment.ts";
export { codesOf, hideRepeated, namesIn, REDACTED } from "./parse/codes.ts";
export { isLocked, LIMIT_LOCKS, RESTORE_LOCKS } from "./stores/postgres-table.ts";
