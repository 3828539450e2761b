import type { Samples } from "@fieldmesh/http/internal";
import type { blocks as rows } from "../blocks.ts";
import { block, blockHash, pocRequest } from "./records.ts";

const spans = { avg: 60.2, stddev: 12.8 };

/** The examples of the endpoints of blocks, in wire format. */
export const blocks: Samples<typeof rows> = {
  height: {
    input: { max_time: "2026-11-20T08:00:00.000Z" },
    output: { data: { height: block.height } },
  },
  stats: {
    input: {},
    output: {
      data: {
        last_hour: spans,
        last_day: spans,
        last_week: spans,
        last_month: { avg: 61, stddev: null },
      },
    },
  },
  list: { input: {}, output: { data: [block], cursor: "eyJiZWZvcmUiOjEwMDAwMDB9" } },
  transactions: { input: { height: block.height }, output: { data: [pocRequest] } },
  getByHash: { input: { hash: blockHash }, output: { data: block } },
  transactionsByHash: { input: { hash: blockHash }, output: { data: [pocRequest] } },
  get: { input: { height: block.height }, output: { data: block } },
};
