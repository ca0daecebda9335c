import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import type { RunCreate } from '../../contract/platform/runs.ts';
import type { SpecInput } from '../../contract/platform/specs.ts';
import type { RerunRequest } from '../../engine/rerun.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { environmentPolicyFindings } from '../../spec/reports/environment-policy.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import { parseWholeText, type SpecFormat } from '../../spec/yaml/parse-yaml.ts';
import type { Verdicts } from '../policies/verdicts.ts';
import { shownTexts } from '../run-record/created-metadata.ts';
import type { CheckPlaces } from './check-places.ts';
import {
  compileRequest,
  explainRequest,
  frozenGraph,
  frozenReport,
  graphRequest,
  reportRequest,
  validateRequest,
} from './check-spec.ts';
import { type FrozenRun, freezeRun } from './freeze-run.ts';
import { frozenSpecOf, loadFrozenSpec } from './frozen-spec.ts';
import { type MadeRerun, makeRerun, type RerunOrigin } from './rerun-work.ts';
import { specCredentials } from './spec-credentials.ts';

/** What a request says about its spec; `strict` where the operation knows it. */
export type CheckedInput = SpecInput & {
  readonly strict?: boolean;
  /** The studio's project that the spec belongs to; its code is looked for there. */
  readonly project?: string | null;
};

/** The answer of a check: its body as JSON, and what its audit event says of it. */
export interface SpecAnswer {
  readonly text: string;
  readonly facts: JsonObject;
}

function said(body: unknown, facts: JsonObject): SpecAnswer {
  return { text: JSON.stringify(body), facts };
}

/** The operations on a request's spec (contract/platform.md 3.10). */
export const SPEC_CHECKS = {
  async validate(places: CheckPlaces, input: CheckedInput): Promise<SpecAnswer> {
    const body = await validateRequest(places, input);
    return said(body, { valid: body.valid });
  },
  async compile(places: CheckPlaces, input: CheckedInput): Promise<SpecAnswer> {
    const body = await compileRequest(places, { ...input, strict: input.strict ?? true });
    return said(body, { valid: body.ok });
  },
  async explain(places: CheckPlaces, input: CheckedInput): Promise<SpecAnswer> {
    return said(await explainRequest(places, input), {});
  },
  async graph(places: CheckPlaces, input: CheckedInput): Promise<SpecAnswer> {
    const body = await graphRequest(places, input);
    return said(body, { workflow_kind: body.workflow_kind });
  },
  async report(places: CheckPlaces, input: CheckedInput): Promise<SpecAnswer> {
    const body = await reportRequest(places, input);
    return said(body, { valid: body.valid });
  },
};

/** The reads of a run's own spec, from the metadata that it was created with. */
export const FROZEN_READS = {
  graph(createdMetadata: string): SpecAnswer {
    const body = frozenGraph(createdMetadata);
    return said(body, { workflow_kind: body.workflow_kind });
  },
  report(createdMetadata: string): SpecAnswer {
    const body = frozenReport(createdMetadata);
    return said(body, { valid: body.valid });
  },
  /** The secrets that the spec asks for, and the studio's project whose secrets it gets. */
  credentials(createdMetadata: string): SpecAnswer {
    const frozen = frozenSpecOf(createdMetadata);
    const spec = frozen === undefined ? undefined : loadFrozenSpec(frozen).spec;
    const credentials = spec === undefined ? [] : specCredentials(spec);
    return said({ project: frozen?.project ?? null, credentials }, {});
  },
};

/** The `skills` block of a document's text, as it is; undefined when the text is no document. */
export function skillsBlock(text: string, format: SpecFormat): Json | undefined {
  return parseWholeText(text, format).value?.['skills'];
}

function blocks(spec: Spec, policy: EnvironmentPolicy | null): boolean {
  return policy?.enabled === true && environmentPolicyFindings(spec, policy).length > 0;
}

/** What two policies say of a run's own spec; null when it has none that can be read. */
export function verdictsOf(
  createdMetadata: string,
  before: EnvironmentPolicy | null,
  after: EnvironmentPolicy,
): Verdicts | null {
  const frozen = frozenSpecOf(createdMetadata);
  const spec = frozen === undefined ? undefined : loadFrozenSpec(frozen).spec;
  return spec === undefined ? null : { before: blocks(spec, before), after: blocks(spec, after) };
}

/** As makeRerun, with the texts that show the metadata. */
export async function rerunWithTexts(
  places: CheckPlaces,
  ...given: [origin: RerunOrigin, request: RerunRequest, own: JsonObject]
): Promise<MadeRerun> {
  const made = await makeRerun(places, ...given);
  return { ...made, shown: shownTexts(made.metadata) };
}

/** As freezeRun, with the texts that show the metadata. */
export async function freezeWithTexts(places: CheckPlaces, body: RunCreate): Promise<FrozenRun> {
  const frozen = await freezeRun(places, body);
  return { ...frozen, shown: shownTexts(frozen.metadata) };
}
