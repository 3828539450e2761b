#!/usr/bin/env node
// Written for any Node, so that an older one gets a sentence and not a syntax error.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 12)) {
  await import("../dist/cli.js");
} else {
  console.error(`fieldmesh needs Node 22.12 or later, and this is Node ${process.versions.node}.`);
  process.exitCode = 2;
}
