import type { Program } from '../../engine/program.ts';
import {
  editableState,
  type RerunEdits,
  type RerunRefusal,
  type RerunRequest,
  rerunFrom,
} from '../../engine/rerun.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import { enforcePolicy } from '../policies/enforce-policy.ts';
import { parseObject, redactText } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import type { ShownTexts } from '../run-record/created-metadata.ts';
import { buildRun } from './build-run.ts';
import type { CheckPlaces } from './check-places.ts';
import { checkRehearsal } from './check-rehearsal.ts';
import { frozenSpecOf } from './frozen-spec.ts';
import { projectFunctions } from './handler-findings.ts';
import { specInvalid } from './prepare-spec.ts';

/** What a rerun takes from the run that it goes on from. */
export interface RerunOrigin {
  readonly createdMetadata: string;
  readonly strict: boolean;
  readonly environment: string | null;
  /** The functions that it was created with, where the folder of its project has none here. */
  readonly tree?: CodeTree | undefined;
}

/** A rerun before it is stored. */
export interface MadeRerun {
  readonly outcome: StepOutcome;
  /** The new run's own metadata. */
  readonly metadata: string;
  /** What its spec calls of its project's own code. */
  readonly functions: readonly string[];
  /** How they are shown, where they are large. */
  readonly shown?: ShownTexts;
}

async function programOf(
  places: CheckPlaces,
  { createdMetadata, strict, tree }: RerunOrigin,
): Promise<{ program: Program; spec: Spec }> {
  const frozen = frozenSpecOf(createdMetadata);
  const built = frozen === undefined ? undefined : await buildRun(places, frozen, strict, tree);
  if (built?.ok === true) return built;
  throw specInvalid(
    built?.problem.diagnostics ?? [],
    redactText(built?.problem.message ?? 'The run has no spec of its own.'),
  );
}

function refusalOf({ field, message }: RerunRefusal) {
  if (field === 'point') return refuse('invalid_request', { message });
  const loc = ['body', 'edits', field];
  const msg = `Value error, ${message}`;
  return refuse('request_invalid', {
    message: `${loc.join('.')}: ${msg}`,
    details: { errors: [{ loc, msg, type: 'value_error' }] },
  });
}

function rehearsalIn(createdMetadata: string): Json | undefined {
  const caller = parseObject(createdMetadata)['caller_metadata'];
  return isJsonObject(caller) ? caller['rehearsal'] : undefined;
}

/**
 * Makes a run that goes on from a place of another one, by the other's spec under today's policy;
 * `own` are the members of its metadata that are its own.
 * @throws Refusal spec_invalid, environment_policy_blocked, invalid_request, request_invalid.
 */
export async function makeRerun(
  places: CheckPlaces,
  origin: RerunOrigin,
  request: RerunRequest,
  own: JsonObject,
): Promise<MadeRerun> {
  const { program, spec } = await programOf(places, origin);
  const declared = spec.metadata?.['environment'];
  const environment = origin.environment ?? (typeof declared === 'string' ? declared : null);
  enforcePolicy(places, { environment, loaded: { spec } });
  checkRehearsal(places.config, rehearsalIn(origin.createdMetadata), environment);
  const rerun = rerunFrom(program, request);
  if (!rerun.ok) throw refusalOf(rerun.refusal);
  const metadata = JSON.stringify(ownMetadata(parseObject(origin.createdMetadata), own));
  return { outcome: rerun.outcome, metadata, functions: projectFunctions(places, spec) };
}

/**
 * The origin's metadata with what is the rerun's own; it belongs to the same project and draft, and the
 * same answers stand in for its steps.
 */
function ownMetadata(origin: JsonObject, own: JsonObject): JsonObject {
  const [before, after] = [origin['caller_metadata'], own['caller_metadata']];
  const { authoring, rehearsal } = isJsonObject(before) ? before : {};
  const inherited = {
    ...(authoring === undefined ? {} : { authoring }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
  };
  const caller = isJsonObject(after) ? { caller_metadata: { ...inherited, ...after } } : {};
  return { ...origin, ...own, ...caller };
}

/** What a rerun from a place can edit, as it stands there. @throws Refusal spec_invalid. */
export async function editsOf(
  places: CheckPlaces,
  origin: RerunOrigin,
  { point, setup }: Pick<RerunRequest, 'point' | 'setup'>,
): Promise<RerunEdits> {
  const { program } = await programOf(places, origin);
  return editableState(program, point, setup);
}
