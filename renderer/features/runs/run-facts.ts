import type { RunStatusView } from '../../../server/contract/platform/runs.ts';

/** Where a run was begun again from. */
export interface RerunOrigin {
  readonly runId: string;
  readonly sequence: number | null;
  readonly edited: readonly string[];
}

/** What the platform keeps of a run beside its state. */
export interface RunFacts {
  readonly environment: string | null;
  readonly specPath: string | null;
  readonly target: string | null;
  readonly workflowType: string | null;
  /** What answered instead of the model, or cut its answer. */
  readonly modelWarning: string | null;
  readonly recording: { readonly mode: 'record' | 'replay'; readonly name: string | null } | null;
  readonly rerunOf: RerunOrigin | null;
  readonly errorType: string | null;
  /** Where the first finding stands that ended the run; null when none did. */
  readonly errorPath: string | null;
  /** The spec as it was frozen, before overlays. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function recordingOf(own: Fields, runId: string): RunFacts['recording'] {
  const { mode, name } = fieldsOf(own['recording']);
  if (mode !== 'record' && mode !== 'replay') {
    return null;
  }
  return { mode, name: textOf(name) ?? (mode === 'record' ? runId : null) };
}

function originOf(value: unknown): RerunOrigin | null {
  const { run_id, checkpoint_sequence, edited } = fieldsOf(value);
  const runId = textOf(run_id);
  if (runId === null) {
    return null;
  }
  return {
    runId,
    sequence: typeof checkpoint_sequence === 'number' ? checkpoint_sequence : null,
    edited: Array.isArray(edited) ? edited.map(String) : [],
  };
}

/** Reads what a person wants to know out of the metadata of a run. */
export function factsOf(run: RunStatusView): RunFacts {
  const { metadata } = run;
  const own = fieldsOf(metadata['caller_metadata']);
  return {
    environment: textOf(metadata['environment']),
    specPath: textOf(metadata['spec_path']),
    target: textOf(metadata['target']),
    workflowType: textOf(metadata['workflow_type']),
    modelWarning: textOf(metadata['model_warning']),
    recording: recordingOf(own, run.run_id),
    rerunOf: originOf(metadata['rerun_of']),
    errorType: run.error?.type ?? null,
    errorPath: run.error?.findings?.find(({ path }) => path !== null)?.path ?? null,
    spec: fieldsOf(fieldsOf(metadata['frozen_spec'])['base']),
    metadata: own,
  };
}
