export { traceFieldmesh, type TraceFieldmeshOptions } from "./trace-fieldmesh.ts";
