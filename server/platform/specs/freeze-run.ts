import type { RunCreate } from '../../contract/platform/runs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import { validateSpec } from '../../spec/rules/validate.ts';
import { enforcePolicy } from '../policies/enforce-policy.ts';
import type { shownTexts } from '../run-record/created-metadata.ts';
import type { CheckPlaces } from './check-places.ts';
import { checkRehearsal } from './check-rehearsal.ts';
import { freezeSkills } from './freeze-skills.ts';
import { notTextOf } from './frozen-spec.ts';
import { projectFunctions } from './handler-findings.ts';
import { skillConfined } from './load-documents.ts';
import { type PreparedSpec, prepareSpec, specInvalid } from './prepare-spec.ts';

/** What a request leaves in its run, as texts. */
export interface FrozenRun {
  /** The run's metadata at its creation as JSON (contract/platform.md 3.4). */
  readonly metadata: string;
  /** Absolute and real; null for an inline spec without a path. */
  readonly specPath: string | null;
  /** Name of the workflow that runs; null for an agent alone. */
  readonly workflow: string | null;
  /** What its spec calls of its project's own code. */
  readonly functions: readonly string[];
  /** How the metadata is shown; made where it is read. */
  readonly shown?: ReturnType<typeof shownTexts>;
}

/** With `strict` false: the semantic errors that the run goes on in spite of (contract/platform.md 3.1). */
function toleratedErrors(body: RunCreate, { documents }: PreparedSpec): JsonObject {
  if (body.strict) return {};
  const { base, overlays } = documents;
  const { overrides, environment, skills } = body;
  const { spec } = loadSpec({ base, overlays, overrides, environment, skills });
  const found = spec === undefined ? [] : validateSpec(spec);
  const errors = found.filter(({ severity }) => severity === 'error');
  return { diagnostics: listedFindings(errors).map((error) => ({ ...error })) };
}

function createdMetadata(body: RunCreate, prepared: PreparedSpec, skills: JsonObject): JsonObject {
  const overlay = body.skills;
  return {
    spec_path: prepared.documents.specPath,
    spec: body.spec,
    target: body.target,
    environment: body.environment,
    overlays: [...body.overlays],
    overrides: body.overrides,
    skills_overlay: overlay === null ? null : { add: overlay.add, disable: overlay.disable },
    timeout_seconds: body.timeout,
    frozen_spec: {
      base: prepared.documents.base,
      overlays: [...prepared.documents.overlays],
      ...notTextOf(prepared.documents),
      ...(Object.keys(skills).length === 0 ? {} : { skills: { ...skills } }),
    },
    caller_metadata: body.metadata,
    ...toleratedErrors(body, prepared),
  };
}

/**
 * Reads and freezes the spec of a run and checks the environment's policy.
 * @throws Refusal in the order of contract/platform.md 2.1 step 10.
 */
export async function freezeRun(places: CheckPlaces, body: RunCreate): Promise<FrozenRun> {
  const preparation = await prepareSpec(places.specRoot, body);
  if (!preparation.ok) {
    throw preparation.leavesRoot ? skillConfined() : specInvalid(preparation.diagnostics);
  }
  const { prepared } = preparation;
  if (!prepared.canBeKept) throw specInvalid(prepared.loaded.diagnostics);
  const skills = await freezeSkills(places.specRoot, prepared.loaded.spec);
  enforcePolicy(places, prepared);
  checkRehearsal(places.config, body.metadata['rehearsal'], prepared.environment);
  const metadata = JSON.stringify(createdMetadata(body, prepared, skills));
  const named = body.target === 'workflow' ? prepared.loaded.spec?.workflow?.name : null;
  return {
    metadata,
    specPath: prepared.documents.specPath,
    workflow: named ?? null,
    functions: projectFunctions(places, prepared.loaded.spec),
  };
}
