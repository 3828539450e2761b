// AWS Lambda, behind an API gateway, a function URL or a load balancer
import { toLambdaHandler } from "@fieldmesh/webhook-types/adapters";
import { receive } from "./receiver.ts";

export const handler = toLambdaHandler(receive);
