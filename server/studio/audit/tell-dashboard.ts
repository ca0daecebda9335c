import type { StudioAct } from '../../contract/dashboard/studio-acts.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import type { PrincipalRow, TestRunRow } from '../../store/studio-tables.ts';
import { findArtifact, listComponents } from '../artifacts/artifacts-repository.ts';
import type { StudioDeps } from '../deps.ts';

function whoOf({ kind, subject, display_name }: PrincipalRow): StudioAct['who'] {
  return kind === 'local_owner' ? null : { subject, name: display_name };
}

/** What goes wrong in telling concerns nobody's run: it is logged. */
async function tell(
  deps: StudioDeps,
  { action, run_id }: Pick<StudioAct, 'action' | 'run_id'>,
  actOf: () => StudioAct | Promise<StudioAct>,
): Promise<void> {
  if (deps.tellDashboard === undefined) return;
  try {
    await deps.tellDashboard(await actOf());
  } catch (error) {
    deps.log.error({ action, run_id, err: error }, "the dashboard was not told of an author's run");
  }
}

/**
 * Tells the dashboard of this installation, where there is one, what somebody did to a run. Never
 * rejects.
 */
export async function tellDashboard(
  deps: StudioDeps,
  principal: PrincipalRow,
  act: Omit<StudioAct, 'who'>,
): Promise<void> {
  await tell(deps, act, () => ({ ...act, who: whoOf(principal) }));
}

/** What became of a run of an artifact. */
export interface ArtifactRunAct extends Pick<StudioAct, 'action' | 'outcome' | 'run_id'> {
  readonly row: TestRunRow;
  readonly client: PlatformClient;
  readonly spec?: JsonObject;
}

/** As {@link tellDashboard}, for a run of an artifact, which may be deleted by now. */
export async function tellOfArtifactRun(
  deps: StudioDeps,
  principal: PrincipalRow,
  { row, client, spec, ...act }: ArtifactRunAct,
): Promise<void> {
  await tell(deps, act, async () => {
    const { project_id, artifact_id } = row;
    const artifact = await findArtifact(deps.db, project_id, artifact_id);
    const [base] = await listComponents(deps.db, artifact_id);
    if (artifact === undefined || base === undefined) {
      throw new TypeError('a test run has an artifact, and that has a base');
    }
    const { revision } = artifact;
    return {
      ...act,
      who: whoOf(principal),
      platform: client.baseUrl,
      environment: row.platform_environment,
      source: { kind: 'artifact', project_id, artifact_id, draft_ref: base.ref, revision },
      spec: spec ?? null,
    };
  });
}
