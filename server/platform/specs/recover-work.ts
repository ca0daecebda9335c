import { z } from 'zod';
import { openObject } from '../../contract/platform/fields.ts';
import type { Refit } from '../../contract/platform/recover.ts';
import type { RunCreate } from '../../contract/platform/runs.ts';
import { toldReader } from '../../contract/told.ts';
import type { Program } from '../../engine/program.ts';
import { type FailedRun, refit } from '../../engine/refit.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { parseObject, redactText } from '../redaction.ts';
import { type ShownTexts, shownTexts } from '../run-record/created-metadata.ts';
import { buildRun } from './build-run.ts';
import type { CheckPlaces } from './check-places.ts';
import { freezeRun } from './freeze-run.ts';
import { frozenSpecOf } from './frozen-spec.ts';
import { specInvalid } from './prepare-spec.ts';

/** A failed run that is to go on under another spec. */
export interface RecoveryOrigin extends FailedRun {
  readonly createdMetadata: string;
  readonly strict: boolean;
}

/** Who asks, and when. */
export interface RecoveryAsked {
  readonly actor: string;
  /** Wire timestamp. */
  readonly at: string;
}

/** What a run would go on with. */
export interface MadeRecovery {
  readonly fit: Refit;
  /** The run's metadata under the new spec. */
  readonly metadata: string;
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
function requestOf(created: JsonObject, spec: JsonObject, strict: boolean): RunCreate {
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
    timeout: told.timeout_seconds ?? null,
  };
}

function digestOf(createdMetadata: string): string | null {
  const base = frozenSpecOf(createdMetadata)?.base;
  return base === undefined ? null : sha256Hex(canonicalJson(base));
}

async function programOf(
  places: CheckPlaces,
  createdMetadata: string,
  strict: boolean,
): Promise<Program> {
  const frozen = frozenSpecOf(createdMetadata);
  const built = frozen === undefined ? undefined : await buildRun(places, frozen, strict);
  if (built?.ok === true) return built.program;
  const message = redactText(built?.problem.message ?? 'The spec cannot be kept with the run.');
  throw specInvalid(built?.problem.diagnostics ?? [], message);
}

async function programBefore(
  places: CheckPlaces,
  { createdMetadata, strict }: RecoveryOrigin,
): Promise<Program | undefined> {
  const frozen = frozenSpecOf(createdMetadata);
  const built = frozen === undefined ? undefined : await buildRun(places, frozen, strict);
  return built?.ok === true ? built.program : undefined;
}

/** The earlier specs of the run, the newest last: what it ran under is superseded, not forgotten. */
function recoveries(created: JsonObject): JsonObject[] {
  const told = created['recovered'];
  return Array.isArray(told) ? told.filter(isJsonObject) : [];
}

/**
 * Freezes a spec in place of the one that a failed run was created with, and says what of the run's
 * saved state fits it. Layers, environment and settings of the run stay as they were.
 * @throws Refusal spec_invalid, invalid_request, environment_policy_blocked.
 */
export async function makeRecovery(
  places: CheckPlaces,
  origin: RecoveryOrigin,
  spec: JsonObject,
  asked: RecoveryAsked,
): Promise<MadeRecovery> {
  const created = parseObject(origin.createdMetadata);
  const frozen = await freezeRun(places, requestOf(created, spec, origin.strict));
  const after = await programOf(places, frozen.metadata, origin.strict);
  const fit = refit(await programBefore(places, origin), after, origin);
  const [from, to] = [digestOf(origin.createdMetadata), digestOf(frozen.metadata)];
  const entry = { ...asked, from_sha256: from, to_sha256: to, repeats: fit.repeats };
  const metadata = JSON.stringify({
    ...parseObject(frozen.metadata),
    recovered: [...recoveries(created), entry],
  });
  return { fit, metadata, shown: shownTexts(metadata), from, to };
}
