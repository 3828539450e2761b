import { parse } from "yaml";

/** A step of a job, or of an action in this repository. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

type Permissions = string | Readonly<Record<string, string>>;

interface Job {
  readonly permissions?: Permissions;
  readonly container?: string | { readonly image: string };
  readonly services?: Readonly<Record<string, { readonly image: string }>>;
  readonly environment?: unknown;
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What the rules look at: a job with the steps of the actions in this repository that it uses. */
export interface CheckedJob {
  readonly name: string;
  readonly permissions: Permissions | undefined;
  readonly images: readonly string[];
  readonly actions: readonly string[];
  readonly steps: readonly Step[];
  /** It may write something, prove an identity or read secrets. */
  readonly hasRight: boolean;
  readonly hasIdentity: boolean;
}

/** Reads the jobs of workflows. `read` returns a file below `.github`. */
export function readJobs(names: readonly string[], read: (name: string) => string): CheckedJob[] {
  const withActions = (step: Step): Step[] => {
    const [, action] = /^\.\/\.github\/(actions\/[\w-]+)$/.exec(step.uses ?? "") ?? [];
    if (action === undefined) return [step];
    const { runs } = parse(read(`${action}/action.yml`)) as { runs: { steps: readonly Step[] } };
    return [step, ...runs.steps.flatMap(withActions)];
  };
  return names.flatMap((name) => {
    const workflow = parse(read(name)) as Workflow;
    return Object.entries(workflow.jobs).map(([id, job]): CheckedJob => {
      const permissions = job.permissions ?? workflow.permissions;
      const steps = (job.steps ?? []).flatMap(withActions);
      const { container } = job;
      const image = typeof container === "object" ? container.image : container;
      const services = Object.values(job.services ?? {}).map((each) => each.image);
      return {
        name: `${name} ${id}`,
        permissions,
        images: [...(image === undefined ? [] : [image]), ...services],
        actions: [job, ...steps].flatMap(({ uses }) => uses ?? []),
        steps,
        hasRight:
          /write/.test(JSON.stringify(permissions)) ||
          /\bsecrets\b/.test(JSON.stringify(job)) ||
          job.environment !== undefined,
        hasIdentity: typeof permissions === "object" && permissions["id-token"] === "write",
      };
    });
  });
}

/** How a job meets a rule; any other string says what breaks it. */
export const MET = ["kept", "not needed"];

/** What every job must keep to. A rule returns why it is met, or what breaks it. */
export const RULES: Readonly<Record<string, (job: CheckedJob) => string>> = {
  "names its permissions": ({ permissions }) =>
    typeof permissions === "object" ? "kept" : "it may do whatever the repository allows",

  // A tag can be moved to other code after it was read; a commit cannot.
  "runs actions by their commit": ({ actions }) =>
    verdict(
      actions.filter((action) => !action.startsWith("./")),
      (action) => /^[\w-]+\/[\w/.-]+@[0-9a-f]{40}$/.test(action),
    ),

  "runs images by their digest": ({ images }) =>
    verdict(images, (image) => /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image)),

  // Otherwise every program that a later step runs can read the token in .git/config.
  "keeps no credentials of a checkout": ({ steps }) =>
    verdict(
      steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")),
      (step) => step.with?.["persist-credentials"] === false,
    ),

  // The branch name and the title of a pull request are text of a stranger.
  "puts no expression into a script": ({ steps }) =>
    verdict(scripts(steps), (script) => !script.includes("${{")),

  // setup-node checks no hash. tools/toolchain.mjs does, and runs no script of a package.
  "with a right, checks the hash of Node, npm and pnpm": ({ hasRight, actions, steps }) =>
    hasRight
      ? verdict(
          [...actions.filter((action) => action.includes("setup")), ...scripts(steps)],
          (each) =>
            each.startsWith("./") ||
            !/setup-|corepack|\bnpx\b|\bcurl\b|npm (i|install|ci)\b/.test(each),
        )
      : "not needed",

  "with an identity, installs no workspace": ({ hasIdentity, steps }) =>
    hasIdentity
      ? verdict(
          steps.flatMap(({ uses, run }) => uses ?? run ?? []),
          (each) =>
            !/actions\/setup\b|\.ci\/|npm run|npm (i|install|ci|test)\b|pnpm|tools\/run|changesets\//.test(
              each,
            ),
        )
      : "not needed",
};

function scripts(steps: readonly Step[]): string[] {
  return steps.flatMap(({ run }) => run ?? []);
}

function verdict<T>(checked: readonly T[], isKept: (each: T) => boolean): string {
  if (checked.length === 0) return "not needed";
  const broken = checked.find((each) => !isKept(each));
  return broken === undefined ? "kept" : `broken by ${JSON.stringify(broken)}`;
}
