// The compiler of zod alone. The build makes it a file of its own, with a copy of what it needs, so that it can load later.
export { compile } from "zod/v4/core";
