import type { DraftCapabilities, DraftKind } from '../../contract/studio/drafts.ts';
import { attachProject, reassignOwner, reassignQuota } from '../../studio/host/projects.ts';
import { exposureOf, registerAsOperator } from '../../studio/host/register-as-operator.ts';
import { setTaintCap } from '../../studio/host/taint-caps.ts';
import { UsageFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { type OperatorOptions, onStudioStore, positiveNumber, tellFacts } from './studio-store.ts';

export interface AttachOptions extends OperatorOptions {
  readonly path: string;
  readonly owner: string;
  readonly name?: string;
}

export interface ReassignOptions extends OperatorOptions {
  readonly project: string;
  readonly to: string;
}

export interface RegisterOptions extends OperatorOptions {
  readonly project: string;
  readonly path: string;
  readonly kind: DraftKind;
  readonly capabilities: DraftCapabilities;
  readonly exposureDigest?: string;
}

export interface CapOptions extends OperatorOptions {
  readonly project: string;
  readonly projectCap?: string;
  readonly perPrincipal?: string;
  readonly retainedMax?: string;
}

/** `studio project attach`: the project on standard output. */
export async function attach(options: AttachOptions): Promise<number> {
  const { path, owner, name } = options;
  return onStudioStore(options, async (deps) => {
    const project = await attachProject(deps, { path, owner: { subject: owner }, name });
    return tellFacts(options, { ...project });
  });
}

/** `studio project reassign-owner` */
export async function reassignOwnerOf(options: ReassignOptions): Promise<number> {
  const { project, to } = options;
  return onStudioStore(options, async (deps) => {
    await reassignOwner(deps, project, { subject: to });
    return tellFacts(options, { project, owner: to });
  });
}

/** `studio project reassign-quota` */
export async function reassignQuotaOf(options: ReassignOptions): Promise<number> {
  const { project, to } = options;
  return onStudioStore(options, async (deps) => {
    await reassignQuota(deps, project, { subject: to });
    return tellFacts(options, { project, quota_principal: to });
  });
}

/** `studio draft register`: without a digest it prints the present one and exits 1. */
export async function register(options: RegisterOptions): Promise<number> {
  const { project, path, kind, capabilities, exposureDigest } = options;
  return onStudioStore(options, async (deps) => {
    if (exposureDigest === undefined) {
      tellFacts(options, { ...(await exposureOf(deps, project)) });
      return 1;
    }
    const exposure_digest = exposureDigest;
    await registerAsOperator(deps, project, { path, kind, capabilities, exposure_digest });
    if (options.json) printJson({ project, path, kind, capabilities });
    else printLine(`${path} is a draft of ${project}.`);
    return 0;
  });
}

function capOf(word: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : positiveNumber(word, text);
}

/** `studio quota set-taint-cap`: prints the caps with what is in use. */
export async function setCap(options: CapOptions): Promise<number> {
  const caps = {
    project_cap: capOf('project-cap', options.projectCap),
    per_principal: capOf('per-principal', options.perPrincipal),
    retained_max: capOf('retained-max', options.retainedMax),
  };
  if (Object.values(caps).every((cap) => cap === undefined)) {
    throw new UsageFailure('Name at least one of --project-cap, --per-principal, --retained-max.');
  }
  return onStudioStore(options, async (deps) =>
    tellFacts(options, { ...(await setTaintCap(deps, { project: options.project, ...caps })) }),
  );
}
