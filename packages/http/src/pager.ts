// What only our own packages need: not covered by semver. A part of its own, so that clients without paged lists do not bundle it.
export { createPager, type CreatePager } from "./pager/pager.ts";

// What walks the parts of a list, each from its own place.
export { createSource, startWalk, type PagerCall, type Source } from "./pager/source.ts";
export type { Walk } from "./pager/walk.ts";
export type { CurrentPage } from "./pager/page.ts";
export { iterate } from "./pager/iterate.ts";
export {
  createFollower,
  type Followed,
  type Follower,
  type FollowerOptions,
} from "./pager/follower.ts";
export { readWalkSettings, type WalkSettings } from "./pager/pager-options.ts";
export { identityFields, placeSchema, type QueryIdentity } from "./pager/checkpoint.ts";
export { keyOf } from "./pager/key-of.ts";
export { isNewestFirst } from "./pager/newest-first.ts";
