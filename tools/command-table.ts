/** A command of a group. */
export interface Command {
  readonly does: string;
  /** Programs with their arguments, one after the other. The last one receives the arguments of the command line. */
  readonly steps: readonly string[];
  /** A part of what the group does without a name. */
  readonly always?: boolean;
}

const TARBALLS = "turbo run tarballs";

/** What each command does that people type as `npm run <name>`, in the order of `npm run help`. */
export const scripts: Readonly<Record<string, string>> = {
  start: "shows the four services in a sandbox",
  sandbox: "starts a sandbox, with its page",
  fieldmesh: "the command line, such as npm run fieldmesh -- --help",
  test: "every check, and the fast tests",
  "test:slow": "real servers, browsers, kills",
  "test:release": "all package managers and runtimes, soaks, large figures",
  generate: "writes what is generated and checked in",
  docs: "builds the site; -- help lists more",
  bench: "measurements; -- help lists them",
  release: "packing, versions and the rehearsal of a release; -- help lists them",
  gauntlet: "calls under every fault of a network",
  conformance: "the packed packages on other runtimes and in user projects",
  mutation: "changes the code of one folder, and shows the changes that no test notices",
  coverage: "the lines that the fast and the slow tests reach",
  lint: "finds mistakes in the code",
  format: "formats the code",
  typecheck: "checks the types",
  changeset: "asks what changed, and writes it for the changelog",
  pnpm: "the pnpm of this workspace, such as npm run pnpm -- add",
  help: "this list",
};

/** The groups of commands that people type, such as `npm run bench -- calls`. */
export const groups: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  bench: {
    calls: {
      does: "what a GET costs, beside fetch, ky and three clients",
      steps: ["node bench/calls.ts"],
    },
    imports: {
      does: "what an import, a bundle and types cost, beside peers",
      steps: [TARBALLS, "node bench/imports.ts"],
    },
    webhooks: {
      does: "verify, parse, dispatch and stores, beside peers and bare transactions",
      steps: ["node bench/webhooks.ts"],
    },
    pager: {
      does: "what the pager, the schemas and lossless JSON cost, beside peers",
      steps: ["node bench/ledger-speed.ts"],
    },
    telemetry: { does: "what telemetry adds to a call", steps: ["node bench/telemetry.ts"] },
    kills: { does: "kills receivers thirty times", steps: ["node bench/receiver-kills.ts"] },
    deliveries: {
      does: "100,000 deliveries through BullMQ and pg-boss, with kills",
      steps: ["node bench/deliveries.ts"],
    },
    races: {
      does: "counts old states after events that arrive together",
      steps: ["node bench/receiver-races.ts"],
    },
    mirror: {
      does: "a mirror beside an inbox alone, and its rows after kills",
      steps: ["node bench/mirror.ts"],
    },
    bulk: { does: "creates 100,000 devices through faults", steps: ["node bench/bulk-create.ts"] },
    ledger: { does: "walks through a million rows", steps: ["node bench/ledger-walk.ts"] },
    site: {
      does: "the pages of the built site on a slow phone",
      steps: ["node docs/site/speed.ts"],
    },
  },
  docs: {
    build: {
      does: "builds the site into docs/.vitepress/dist",
      steps: ["node docs/site/build.ts"],
      always: true,
    },
    dev: { does: "serves the site while you write", steps: ["node docs/site/build.ts --dev"] },
    documents: {
      does: "writes all machine-readable documents into a folder",
      steps: ["node docs/documents/write.ts"],
    },
    pictures: {
      does: "records the tour; needs Python",
      steps: ["node docs/site/tour.ts"],
    },
    "page-pictures": {
      does: "photographs the page of the sandbox; needs Chromium",
      steps: ["node docs/site/write-page-pictures.ts"],
    },
  },
  release: {
    pack: {
      does: "packs a package, and prints the command that installs it",
      steps: [TARBALLS, "node tools/release/pack.ts"],
    },
    build: { does: "builds all packages", steps: ["turbo run build"] },
    rehearse: {
      does: "releases everything to a registry on this machine, and installs it",
      steps: ["node tools/release/rehearse.ts"],
    },
    version: {
      does: "turns the changesets into versions and changelogs",
      steps: ["node tools/release/version.ts"],
    },
    "check-changeset": {
      does: "names changed packages without a changeset since a branch",
      steps: ["node tools/api/check-changeset.ts"],
    },
    "check-commits": {
      does: "checks the subjects and bodies of the commits",
      steps: ["node tools/commits.ts"],
    },
    sizes: {
      does: "writes the bundle size of each entry",
      steps: [TARBALLS, "node tools/tarballs/sizes.ts"],
    },
    rename: { does: "writes other names into every file", steps: ["node tools/release/rename.ts"] },
    figures: {
      does: "prints how large this repository is",
      steps: ["node tools/figures.ts"],
    },
    sbom: {
      does: "writes what an install of each package brings",
      steps: [TARBALLS, "node tools/release/sbom.ts"],
    },
  },
};
