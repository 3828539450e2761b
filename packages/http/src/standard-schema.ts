export type { InferSchema, Schema, SchemaResult } from "@fieldmesh/core";
