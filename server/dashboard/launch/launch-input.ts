import type {
  LaunchRunInput,
  LaunchSource,
  LaunchSpecInput,
} from '../../contract/dashboard/launch.ts';
import { PROJECT_HEADER } from '../../contract/platform/specs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { requireEnvironment } from '../access/environment-grants.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { refuse } from '../refusals.ts';

/**
 * The environment of a launch: the body's, else the active one; checked against the grants.
 * @throws Refusal `bad_request` when both are set and differ, `forbidden`.
 */
export function effectiveEnvironment(
  operator: Operator,
  input: Pick<LaunchSpecInput, 'environment'>,
): string | null {
  const own = input.environment?.trim() ?? '';
  const active = operator.environment;
  if (own !== '' && active !== null && own !== active) {
    throw refuse('bad_request', {
      message: 'The environment of the launch is not the active environment.',
    });
  }
  const effective = own === '' ? active : own;
  requireEnvironment(operator.environments, effective);
  return effective;
}

/** What the platform's checks take of a launch. */
export function specBody(input: LaunchSpecInput, environment: string | null): JsonObject {
  const { spec, spec_path, overlays, overrides } = input;
  return {
    ...(spec === null || spec === undefined ? {} : { spec }),
    ...(typeof spec_path === 'string' ? { spec_path } : {}),
    ...(overlays === undefined ? {} : { overlays }),
    ...(overrides === undefined ? {} : { overrides }),
    ...(environment === null ? {} : { environment }),
  };
}

/**
 * The project whose folder the platform looks for code in. Who signs in here is somebody else than
 * who signs in to the studio, and may not use what its members trust: then there is none.
 */
function projectOf(deps: DashboardDeps, source: LaunchSource | undefined): string | undefined {
  return deps.signIn === undefined ? source?.project_id : undefined;
}

/** What the checks of a spec from a project carry, so that its code is found. */
export function projectHeaders(
  deps: DashboardDeps,
  { source }: LaunchSpecInput,
): Readonly<Record<string, string>> {
  const project = projectOf(deps, source);
  return project === undefined ? {} : { [PROJECT_HEADER]: project };
}

function authoringOf(source: LaunchSource): JsonObject {
  const { project_id, revision } = source;
  return source.kind === 'draft'
    ? { project_id, draft: source.ref, revision }
    : { project_id, artifact_id: source.artifact_id };
}

/**
 * What the run's metadata says: the caller's, and where the spec comes from.
 * @throws Refusal `bad_request` for metadata that name a project themselves.
 */
function metadataOf(deps: DashboardDeps, input: LaunchRunInput): JsonObject | undefined {
  const { metadata, source } = input;
  if (metadata !== undefined && Object.hasOwn(metadata, 'authoring')) {
    throw refuse('bad_request', {
      message:
        'metadata.authoring is written by the dashboard. Name the draft or artifact as the source.',
    });
  }
  if (source === undefined || projectOf(deps, source) === undefined) return metadata;
  return { ...metadata, authoring: authoringOf(source) };
}

/** What the platform takes to start the run. @throws Refusal `bad_request` */
export function runBody(
  deps: DashboardDeps,
  input: LaunchRunInput,
  environment: string | null,
): JsonObject {
  const { skills, session_id, strict, timeout } = input;
  const metadata = metadataOf(deps, input);
  return {
    input: input.input_text,
    async_mode: input.async_mode,
    ...specBody(input, environment),
    ...(skills === undefined ? {} : { skills }),
    ...(session_id === undefined ? {} : { session_id }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(strict === undefined ? {} : { strict }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}
