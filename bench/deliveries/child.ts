// A process that receives deliveries and handles their jobs. run-deliveries.ts starts and kills it.
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { readTask, serveInChild } from "../support/child.ts";
import { openSides } from "./sides.ts";
import type { DeliveryTask } from "./task.ts";

const task = readTask() as DeliveryTask;
const sides = await openSides(task, (step) => {
  if (task.dieAt === step) process.kill(process.pid, "SIGKILL");
});
const handle = toNodeHandler(sides);
await serveInChild((req, res) => void handle(req, res));
