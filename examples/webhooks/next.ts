// Next.js, as app/hooks/route.ts
import { toNextHandler } from "@fieldmesh/webhook-types/adapters";
import { receive } from "./receiver.ts";

export const POST = toNextHandler(receive);
