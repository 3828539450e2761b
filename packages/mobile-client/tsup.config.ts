import { packageBuild } from "../../tools/tsup.ts";

export default packageBuild();
