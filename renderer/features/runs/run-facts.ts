import { z } from 'zod';
import { openObject } from '../../../server/contract/platform/fields.ts';
import {
  type AnsweredBy,
  NO_REHEARSAL,
  rehearsal,
} from '../../../server/contract/platform/rehearsals.ts';
import type { RunStatusView } from '../../../server/contract/platform/runs.ts';
import { toldReader } from '../../../server/contract/told.ts';
import { isObject } from '../../../server/kernel/json.ts';

/** Where a run was begun again from. */
export interface RerunOrigin {
  readonly runId: string;
  readonly sequence: number | null;
  readonly edited: readonly string[];
}

/** A spec took the place of the one before, and the run went on. */
export interface Recovered {
  readonly at: string;
  readonly actor: string;
  readonly repeats: string | null;
  /** Digests of the spec before and of the one that took its place. */
  readonly from: string | null;
  readonly to: string | null;
}

/** What the platform keeps of a run beside its state. */
export interface RunFacts {
  readonly environment: string | null;
  /** Epoch seconds; null = the run may take as long as it takes. */
  readonly deadlineAt: number | null;
  readonly specPath: string | null;
  readonly target: string | null;
  readonly workflowType: string | null;
  /** What answered instead of the model, or cut its answer. */
  readonly modelWarning: string | null;
  readonly recording: { readonly mode: 'record' | 'replay'; readonly name: string | null } | null;
  /** What answered in place of steps, by their key; empty for a run that was no rehearsal. */
  readonly answeredBy: Readonly<Record<string, AnsweredBy>>;
  readonly rerunOf: RerunOrigin | null;
  /** When its spec was replaced by a mended one, the latest last. */
  readonly recovered: readonly Recovered[];
  readonly errorType: string | null;
  /** Where the first finding stands that ended the run; null when none did. */
  readonly errorPath: string | null;
  /** The spec as it was frozen, before overlays. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const text = z.string();

const readMetadata = toldReader(
  z.object({
    environment: text,
    spec_path: text,
    target: text,
    workflow_type: text,
    model_warning: text,
    caller_metadata: openObject,
    rerun_of: z.object({ run_id: text, checkpoint_sequence: z.number(), edited: z.array(text) }),
    frozen_spec: z.object({ base: openObject }),
    recovered: z.array(
      z.object({ at: text, actor: text, repeats: text, from_sha256: text, to_sha256: text }),
    ),
  }),
);
const readOwn = toldReader(z.object({ recording: z.object({ mode: text, name: text }) }));

type Metadata = ReturnType<typeof readMetadata>;

function recordingOf(own: object, runId: string): RunFacts['recording'] {
  const { mode, name } = readOwn(own).recording ?? {};
  if (mode !== 'record' && mode !== 'replay') {
    return null;
  }
  return { mode, name: name || (mode === 'record' ? runId : null) };
}

function answeredIn(given: unknown): RunFacts['answeredBy'] {
  const read = rehearsal.safeParse(given);
  const { steps, tools } = read.data ?? NO_REHEARSAL;
  const all = [...Object.entries(tools), ...Object.entries(steps)];
  return Object.fromEntries(all.map(([key, { by }]) => [key, by]));
}

function originOf(rerunOf: Metadata['rerun_of']): RerunOrigin | null {
  const { run_id, checkpoint_sequence, edited } = rerunOf ?? {};
  return run_id
    ? { runId: run_id, sequence: checkpoint_sequence ?? null, edited: edited ?? [] }
    : null;
}

/** Reads what a person wants to know out of the metadata of a run. */
export function factsOf(run: RunStatusView): RunFacts {
  const metadata = readMetadata(run.metadata);
  const own = metadata.caller_metadata ?? {};
  return {
    environment: metadata.environment || null,
    deadlineAt: run.deadline_at,
    specPath: metadata.spec_path || null,
    target: metadata.target || null,
    workflowType: metadata.workflow_type || null,
    modelWarning: metadata.model_warning || null,
    recording: recordingOf(own, run.run_id),
    answeredBy: answeredIn(own['rehearsal']),
    rerunOf: originOf(metadata.rerun_of),
    recovered: (metadata.recovered ?? []).map((told) => ({
      at: told.at ?? '',
      actor: told.actor ?? '',
      repeats: told.repeats ?? null,
      from: told.from_sha256 ?? null,
      to: told.to_sha256 ?? null,
    })),
    errorType: run.error?.type ?? null,
    errorPath: run.error?.findings?.find(({ path }) => path !== null)?.path ?? null,
    spec: metadata.frozen_spec?.base ?? {},
    metadata: own,
  };
}

/** True for a run whose steps hand items on (decision record 0024). */
export function isItemFlow({ spec: { metadata } }: RunFacts): boolean {
  return isObject(metadata) && isObject(metadata['flow']);
}

/** True for a run in which something answered for a step or a tool. */
export function isRehearsal({ answeredBy }: Pick<RunFacts, 'answeredBy'>): boolean {
  return Object.keys(answeredBy).length > 0;
}
