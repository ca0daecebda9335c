import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import type { Rehearsal } from '../../contract/platform/rehearsals.ts';
import { buildProgram } from '../../engine/build-program.ts';
import { BuildFailure, type Program } from '../../engine/program.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import { selectBinding } from '../../runtime/models/select-binding.ts';
import { checkBuild, findingText } from '../../spec/compile/compile.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import { answeredFor } from '../../spec/reports/replaceable-parts.ts';
import { validateSpec } from '../../spec/rules/validate.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { redactText } from '../redaction.ts';
import type { CheckPlaces } from './check-places.ts';
import { type FrozenSpec, loadFrozenSpec } from './frozen-spec.ts';
import { handlerFindings } from './handler-findings.ts';
import { missingSecret, secretMessage } from './missing-secret.ts';
import { readRecordingChoice } from './recording-choice.ts';
import { secretFindings } from './secret-findings.ts';
import { applySkillDefaults } from './skill-defaults.ts';

/** Why a spec cannot run, with the type name of platform.md 6.3. */
export interface BuildProblem {
  readonly type:
    | 'SpecCompilationError'
    | 'ValueError'
    | 'RuntimeError'
    | 'CodeNotTrusted'
    | 'CodeUnusable';
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export type BuiltRun =
  | {
      readonly ok: true;
      readonly program: Program;
      readonly spec: Spec;
      readonly diagnostics: readonly Diagnostic[];
      /** What answers in place of its steps and tools. */
      readonly rehearsal: Rehearsal;
      /** What the run does with the traffic of its models and tools. */
      readonly recording: RecordingChoice;
      /** The studio's project that the run belongs to; its code is called there. */
      readonly project: string | null;
    }
  | { readonly ok: false; readonly problem: BuildProblem };

type BuildDeps = Omit<CheckPlaces, 'policies'>;

function problem(
  type: BuildProblem['type'],
  message: string,
  diagnostics: readonly Diagnostic[] = [],
): BuiltRun {
  return { ok: false, problem: { type, message, diagnostics: listedFindings(diagnostics) } };
}

/** As many findings are told of a run that could not be built. */
export const TOLD_FINDINGS = 20;

function summary(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = errors.slice(0, TOLD_FINDINGS).map(findingText);
  return shown.length === 0 ? 'The spec does not compile.' : shown.join('\n');
}

/** Says of the path of an agent whether all that it is asked is answered from a recording. */
function agentsFromRecordings(spec: Spec, { steps, tools }: Rehearsal): (path: string) => boolean {
  const recorded = Object.entries(steps).filter(([, { by }]) => by === 'recorded');
  return answeredFor(spec, { steps: Object.fromEntries(recorded), tools });
}

/**
 * Makes the engine's program of a loaded spec; its failures become problems. A replay needs no
 * provider; SERV_REQUIRE_PROVIDER_SECRETS turns the warning about a missing one into a problem.
 */
export function makeProgram(
  deps: BuildDeps,
  spec: Spec,
  frozen: Pick<FrozenSpec, 'skills' | 'recording' | 'rehearsal' | 'project'>,
  diagnostics: readonly Diagnostic[],
): BuiltRun {
  const recording = readRecordingChoice(frozen.recording, deps.config);
  if (!recording.ok) return problem('ValueError', recording.message, diagnostics);
  const recorded = recording.choice.mode === 'replay';
  const replayed = agentsFromRecordings(spec, frozen.rehearsal);
  const offline = new Set<string>();
  const secrets = deps.secrets.of(frozen.project);
  try {
    const program = buildProgram(spec, {
      skills: frozen.skills,
      rehearsal: frozen.rehearsal,
      bind: (agent, path) => {
        const fromFile = recorded || replayed(path);
        const binding = selectBinding(agent, secrets, { recorded: fromFile });
        if (binding.warning !== null) offline.add(binding.warning);
        return binding;
      },
      redactText,
      token_budget: deps.config.tokenBudget ?? null,
      provider_retry: {
        retries: deps.config.provider.retries,
        backoff_seconds: deps.config.provider.backoffSeconds,
        timeout_seconds: deps.config.provider.timeoutSeconds ?? null,
        retry_on_timeout: deps.config.provider.retryOnTimeout,
      },
      retry_on_timeout: deps.config.workflowRetryOnTimeout,
      limits: deps.config.runLimits,
    });
    if (deps.config.requireProviderSecrets && offline.size > 0) {
      return problem('ValueError', [...offline].join('\n'), diagnostics);
    }
    return {
      ok: true,
      program,
      spec,
      diagnostics,
      recording: recording.choice,
      rehearsal: frozen.rehearsal,
      project: frozen.project,
    };
  } catch (error) {
    if (error instanceof BuildFailure) return problem(error.type, error.message, diagnostics);
    throw error;
  }
}

/**
 * Load, validate and build the frozen documents of a run (spec-v1 1). With `strict` false semantic
 * errors do not stop it; what cannot be built still does. `tree` holds the code that it takes along;
 * without it that is looked for in the folder of its project.
 */
export async function buildRun(
  deps: BuildDeps,
  frozen: FrozenSpec,
  strict: boolean,
  tree: CodeTree = deps.trees.find(frozen.project),
): Promise<BuiltRun> {
  const loaded = loadFrozenSpec(frozen);
  if (loaded.spec === undefined) {
    if (loaded.refusal !== null) return problem('ValueError', loaded.refusal.message);
    return problem('SpecCompilationError', summary(loaded.diagnostics), loaded.diagnostics);
  }
  const checked = validateSpec(loaded.spec);
  const { refusal, findings } = checkBuild(loaded.spec, checked, strict);
  const diagnostics = [...loaded.diagnostics, ...checked, ...findings];
  if (refusal?.code === 'spec_invalid') {
    return problem('SpecCompilationError', summary(diagnostics), diagnostics);
  }
  if (refusal !== null) return problem('ValueError', refusal.message, diagnostics);
  const handlers = await handlerFindings({ handlers: deps.handlers, tree }, loaded.spec);
  const secrets = deps.secrets.of(frozen.project);
  await secrets.ready();
  const isAnswered = answeredFor(loaded.spec, frozen.rehearsal);
  const recording = readRecordingChoice(frozen.recording, deps.config);
  const replayed = recording.ok && recording.choice.mode === 'replay';
  const places = [...handlers, ...secretFindings(loaded.spec, secrets, { replayed })].filter(
    ({ path }) => !isAnswered(path),
  );
  const all = [...diagnostics, ...places];
  if (places.length > 0) return problem('SpecCompilationError', summary(all), all);
  const missing = replayed ? undefined : missingSecret(loaded.spec, secrets);
  if (missing !== undefined)
    return problem('ValueError', secretMessage(missing), [...all, missing]);
  return makeProgram(deps, applySkillDefaults(loaded.spec, frozen.skillDefaults), frozen, all);
}
