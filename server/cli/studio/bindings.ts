import path from 'node:path';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import {
  addBinding,
  type BindingInput,
  rebindProject,
  retireBinding,
  rotateBinding,
} from '../../studio/host/bindings.ts';
import type { HostDeps } from '../../studio/host/host-deps.ts';
import { UsageFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { type OperatorOptions, onStudioStore, positiveNumber, tellFacts } from './studio-store.ts';

export interface BindOptions extends OperatorOptions {
  readonly project: string;
  readonly alias: string;
  readonly profile: string;
  readonly platformEnvironment?: string;
  readonly transport?: ProjectEnvironmentRow['transport'];
  readonly servRoot?: string;
}

export interface RetireOptions extends OperatorOptions {
  readonly project: string;
  readonly alias: string;
  readonly generation: string;
}

const ALIAS = /^[a-z0-9][a-z0-9_-]{0,63}$/;

function inputOf(options: BindOptions): BindingInput {
  const { project, alias, profile, platformEnvironment, transport, servRoot } = options;
  if (!ALIAS.test(alias)) {
    throw new UsageFailure('--alias must be a-z, 0-9, _ and -, at most 64, not _ or - first.');
  }
  if ((transport === 'shared_filesystem') !== (servRoot !== undefined)) {
    throw new UsageFailure('--transport shared_filesystem and --serv-root go together.');
  }
  if (servRoot !== undefined && !path.isAbsolute(servRoot)) {
    throw new UsageFailure('--serv-root must be an absolute path.');
  }
  return {
    project,
    alias,
    profile,
    platform_environment: platformEnvironment,
    transport,
    serv_root: servRoot,
  };
}

async function bind(
  options: BindOptions,
  change: (deps: HostDeps, input: BindingInput) => Promise<ProjectEnvironmentRow>,
): Promise<number> {
  const input = inputOf(options);
  return onStudioStore(options, async (deps) => {
    const row = await change(deps, input);
    const { alias, generation, platform_environment, transport, capability_policy } = row;
    const facts = { alias, generation, platform_environment, transport, capability_policy };
    return tellFacts(options, facts);
  });
}

/** `studio env add` */
export async function add(options: BindOptions): Promise<number> {
  return bind(options, addBinding);
}

/** `studio env rotate` */
export async function rotate(options: BindOptions): Promise<number> {
  return bind(options, rotateBinding);
}

/** `studio env rebind` */
export async function rebind(options: BindOptions): Promise<number> {
  return bind(options, rebindProject);
}

/** `studio env retire` */
export async function retire(options: RetireOptions): Promise<number> {
  const { project, alias } = options;
  const generation = positiveNumber('generation', options.generation);
  return onStudioStore(options, async (deps) => {
    await retireBinding(deps, { project, alias, generation });
    if (options.json) printJson({ project, alias, generation });
    else printLine(`Generation ${generation} of ${alias} is retired.`);
    return 0;
  });
}
