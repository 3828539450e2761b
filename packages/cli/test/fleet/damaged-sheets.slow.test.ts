// 1,000 sheets in this tier.
// oxlint-disable-next-line import/no-unassigned-import -- the test of the fast tier, which counts by the name of this file
import "./damaged-sheets.test.ts";
