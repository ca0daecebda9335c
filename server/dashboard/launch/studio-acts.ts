import type { LaunchDetails } from '../../contract/dashboard/launch.ts';
import type { StudioAct } from '../../contract/dashboard/studio-acts.ts';
import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import type { DashboardDeps } from '../deps.ts';
import { STATIC_IDENTITY } from '../operator.ts';
import { objectOf, textOrNull } from '../read.ts';
import { findSetting, listSettings } from '../settings/settings-repository.ts';
import { detailsOf } from './launch-details.ts';
import { rememberLaunch } from './launch-history.ts';

const MAX_CONNECTIONS = 500;

function addressOf(deps: DashboardDeps, profile: string | null): string | undefined {
  try {
    return deps.platforms.clientOf(profile).baseUrl;
  } catch {
    // A profile without address or key shows no platform.
    return undefined;
  }
}

/** True for a platform that this dashboard shows, in any environment. */
async function isShown(deps: DashboardDeps, platform: string): Promise<boolean> {
  const rows = await listSettings(deps.db, 'connections', MAX_CONNECTIONS);
  const profiles = new Set([
    null,
    ...rows.map(({ value }) => textOrNull(objectOf(value)['profile'])),
  ]);
  const address = withoutTrailingSlashes(platform);
  return [...profiles].some((profile) => addressOf(deps, profile) === address);
}

async function isProduction(deps: DashboardDeps, environment: string): Promise<boolean> {
  const row = await findSetting(deps.db, 'connections', environment);
  return objectOf(row?.value)['production'] === true;
}

/**
 * Who did it. A studio that asks nobody is used by whom the dashboard takes everybody for; a person
 * of the studio is never named as an operator is, whatever they call themselves.
 */
function identityOf(
  deps: DashboardDeps,
  { who }: StudioAct,
): { readonly identity: string; readonly told: Pick<LaunchDetails, 'via' | 'name'> } {
  if (who === null) {
    const identity = deps.signIn === undefined ? STATIC_IDENTITY : 'studio:owner';
    return { identity, told: { via: 'studio' } };
  }
  return { identity: `studio:${who.subject}`, told: { via: 'studio', name: who.name } };
}

async function keep(deps: DashboardDeps, act: StudioAct): Promise<void> {
  const { action, outcome, environment, run_id } = act;
  // A run of a draft is its author's rehearsal, unless it is one in production.
  if (act.source.kind === 'draft' && !(await isProduction(deps, environment))) return;
  if (!(await isShown(deps, act.platform))) return;
  const { identity, told } = identityOf(deps, act);
  const details = detailsOf(act.source, undefined, told);
  await deps.audit.append({
    operator: identity,
    action,
    environment,
    target: run_id,
    outcome,
    details,
  });
  if (action !== 'launch.run' || outcome !== 'ok') return;
  const launch = { spec: act.spec, spec_path: null, environment, run_id, details };
  await rememberLaunch(deps, { identity }, launch);
}

/**
 * Writes down what an author did from the studio of this installation: runs of artifacts as
 * launches, with their row in the operators' audit (docs/decisions/0030). Never rejects.
 */
export async function keepStudioAct(deps: DashboardDeps, act: StudioAct): Promise<void> {
  try {
    await keep(deps, act);
  } catch (error) {
    deps.log.error({ action: act.action, err: error }, "an author's run was not written down");
  }
}
