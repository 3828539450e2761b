import { withChecksum } from "@fieldmesh/core/internal";
import type { BulkCheckpoint } from "../../packages/console-client/src/index.ts";

/** A checkpoint as it is when the time limits of its requests have passed, so that a resumed run does not wait for them. */
export function afterItsTime(checkpoint: BulkCheckpoint | undefined): BulkCheckpoint | undefined {
  if (checkpoint === undefined) return undefined;
  const { checksum: _old, open, ...fields } = checkpoint;
  return withChecksum({ ...fields, open: open.map((each) => ({ ...each, until: 0 })) });
}
