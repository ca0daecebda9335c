import { z } from 'zod';
import { openObject } from '../../contract/platform/fields.ts';
import type { Refit } from '../../contract/platform/recover.ts';
import type { RunCreate } from '../../contract/platform/runs.ts';
import { toldReader } from '../../contract/told.ts';
import { carriedOver } from '../../engine/carry/carry-on.ts';
import type { AskedRenames } from '../../engine/carry/match-steps.ts';
import { refit, type StoppedRun } from '../../engine/carry/refit.ts';
import type { Program } from '../../engine/program.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import { parseObject, redactText } from '../redaction.ts';
import { type ShownTexts, shownTexts } from '../run-record/created-metadata.ts';
import { buildRun } from './build-run.ts';
import type { CheckPlaces } from './check-places.ts';
import { freezeRun } from './freeze-run.ts';
import { frozenSpecOf } from './frozen-spec.ts';
import { specInvalid } from './prepare-spec.ts';

/** A run that stopped and is to go on under another spec. */
export interface RecoveryOrigin extends StoppedRun {
  readonly createdMetadata: string;
  readonly strict: boolean;
  /** The functions that it was created with, where the folder of its project has none here. */
  readonly tree?: CodeTree | undefined;
}

/** Who asks, when, and what for. */
export interface RecoveryAsked {
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly renamed: AskedRenames;
  /** Seconds that the run gets from now on; null = as many as it had. */
  readonly timeout: number | null;
}

/** What a run would go on with. */
export interface MadeRecovery {
  readonly fit: Refit;
  /** The state that goes on, before it does; null where it does not fit. */
  readonly outcome: StepOutcome | null;
  readonly timeoutSeconds: number | null;
  /** The run's metadata under the new spec. */
  readonly metadata: string;
  /** What the new spec calls of its project's own code. */
  readonly functions: readonly string[];
  readonly shown: ShownTexts;
  /** Digests of both specs, before their layers. */
  readonly from: string | null;
  readonly to: string | null;
}

const readCreated = toldReader(
  z.object({
    target: z.enum(['agent', 'workflow']),
    environment: z.string(),
    overlays: z.array(z.string()),
    overrides: openObject,
    skills_overlay: z.object({ add: z.array(z.string()), disable: z.array(z.string()) }),
    timeout_seconds: z.number(),
    caller_metadata: openObject,
  }),
);

/** The request that would have created the run with the new spec. */
function requestOf(
  created: JsonObject,
  spec: JsonObject,
  strict: boolean,
  timeout: number | null,
): RunCreate {
  const told = readCreated(created);
  const overlay = told.skills_overlay;
  return {
    input: '',
    spec,
    spec_path: null,
    target: told.target === 'agent' ? 'agent' : 'workflow',
    environment: told.environment ?? null,
    overlays: [...(told.overlays ?? [])],
    overrides: told.overrides ?? {},
    skills: overlay
      ? { add: [...(overlay.add ?? [])], disable: [...(overlay.disable ?? [])] }
      : null,
    async_mode: false,
    session_id: null,
    metadata: told.caller_metadata ?? {},
    strict,
    timeout: timeout ?? told.timeout_seconds ?? null,
  };
}

function digestOf(createdMetadata: string): string | null {
  const base = frozenSpecOf(createdMetadata)?.base;
  return base === undefined ? null : sha256Hex(canonicalJson(base));
}

async function programOf(
  places: CheckPlaces,
  createdMetadata: string,
  { strict, tree }: RecoveryOrigin,
): Promise<Program> {
  const frozen = frozenSpecOf(createdMetadata);
  const built = frozen === undefined ? undefined : await buildRun(places, frozen, strict, tree);
  if (built?.ok === true) return built.program;
  const message = redactText(built?.problem.message ?? 'The spec cannot be kept with the run.');
  throw specInvalid(built?.problem.diagnostics ?? [], message);
}

async function programBefore(
  places: CheckPlaces,
  { createdMetadata, strict, tree }: RecoveryOrigin,
): Promise<Program | undefined> {
  const frozen = frozenSpecOf(createdMetadata);
  const built = frozen === undefined ? undefined : await buildRun(places, frozen, strict, tree);
  return built?.ok === true ? built.program : undefined;
}

/** The earlier specs of the run, the newest last: what it ran under is superseded, not forgotten. */
function recoveries(created: JsonObject): JsonObject[] {
  const told = created['recovered'];
  return Array.isArray(told) ? told.filter(isJsonObject) : [];
}

/**
 * Freezes a spec in place of the one that a run which stopped was created with, and says what of its
 * saved state fits it. Layers, environment and settings of the run stay as they were.
 * @throws Refusal spec_invalid, invalid_request, environment_policy_blocked.
 */
export async function makeRecovery(
  places: CheckPlaces,
  origin: RecoveryOrigin,
  spec: JsonObject,
  asked: RecoveryAsked,
): Promise<MadeRecovery> {
  const { actor, at, renamed } = asked;
  const created = parseObject(origin.createdMetadata);
  const request = requestOf(created, spec, origin.strict, asked.timeout);
  const frozen = await freezeRun(places, request);
  const after = await programOf(places, frozen.metadata, origin);
  const before = await programBefore(places, origin);
  const { fit, carried } = refit(before, after, origin, renamed);
  const [from, to] = [digestOf(origin.createdMetadata), digestOf(frozen.metadata)];
  const timeoutSeconds = request.timeout;
  const limits = { at, timeout_seconds: timeoutSeconds };
  const outcome =
    carried === null || origin.state === undefined
      ? null
      : carriedOver(origin.state, origin.point, carried, limits);
  const entry = {
    actor,
    at: toTimestamp(at),
    from_sha256: from,
    to_sha256: to,
    repeats: fit.repeats,
    from_status: origin.status,
    ...(Object.keys(fit.renamed).length === 0 ? {} : { renamed: fit.renamed }),
  };
  const metadata = JSON.stringify({
    ...parseObject(frozen.metadata),
    recovered: [...recoveries(created), entry],
  });
  const { functions } = frozen;
  const shown = shownTexts(metadata);
  return { fit, outcome, timeoutSeconds, metadata, functions, shown, from, to };
}
