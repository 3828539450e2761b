export {
  explain,
  type Cause,
  type Explanation,
  type ExplainOptions,
  type LikelyCause,
} from "./explain.ts";
