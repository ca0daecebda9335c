import { getReadiness } from '../contract/studio/probes.ts';
import { answer } from '../http/answer.ts';
import { registerAnalysisRoutes } from './analyses/routes.ts';
import { registerArtifactRoutes } from './artifacts/routes.ts';
import { registerActivityRoutes } from './audit/routes.ts';
import { registerBundleRoutes } from './bundles/routes.ts';
import type { StudioApp } from './caller.ts';
import type { StudioDeps } from './deps.ts';
import { registerDraftRoutes } from './drafts/routes.ts';
import { registerEnvironmentRoutes } from './environments/routes.ts';
import { registerEstateRoutes } from './estate/routes.ts';
import { registerExposureRoutes } from './exposure/routes.ts';
import { registerFreshnessRoutes } from './freshness/routes.ts';
import { registerFunctionRoutes } from './functions/routes.ts';
import { registerGapRoutes } from './gaps/routes.ts';
import { registerGitRoutes } from './git/routes.ts';
import { registerGovernRoutes } from './govern/routes.ts';
import { registerHistoryRoutes } from './history/routes.ts';
import { registerImportRoutes } from './imports/routes.ts';
import { registerMemberRoutes } from './members/routes.ts';
import { registerProjectRoutes } from './projects/routes.ts';
import { registerRepairRoutes } from './repairs/routes.ts';
import { askStore } from './session/principals-repository.ts';
import { registerSessionRoutes } from './session/routes.ts';
import { registerTestRunRoutes } from './test-runs/routes.ts';
import { registerTreeRoutes } from './tree/routes.ts';
import { registerTrustRoutes } from './trust/routes.ts';

async function storeAnswers(deps: StudioDeps): Promise<boolean> {
  try {
    await askStore(deps.db);
    return await deps.canWrite();
  } catch (error) {
    deps.log.error({ err: error }, 'the store does not answer');
    return false;
  }
}

/** Binds every route of the studio that is built. */
export function registerStudio(app: StudioApp, deps: StudioDeps): void {
  app.implement(getReadiness, async () => {
    const store = await storeAnswers(deps);
    const body = { status: store ? ('ready' as const) : ('degraded' as const), store };
    return answer(body, { status: store ? 200 : 503 });
  });
  registerSessionRoutes(app, deps);
  registerProjectRoutes(app, deps);
  registerMemberRoutes(app, deps);
  registerActivityRoutes(app, deps);
  registerEnvironmentRoutes(app, deps);
  registerExposureRoutes(app, deps);
  registerDraftRoutes(app, deps);
  registerImportRoutes(app, deps);
  registerAnalysisRoutes(app, deps);
  registerEstateRoutes(app, deps);
  registerRepairRoutes(app, deps);
  registerFunctionRoutes(app, deps);
  registerGapRoutes(app, deps);
  registerArtifactRoutes(app, deps);
  registerFreshnessRoutes(app, deps);
  registerBundleRoutes(app, deps);
  registerGovernRoutes(app, deps);
  registerTestRunRoutes(app, deps);
  registerTreeRoutes(app, deps);
  registerHistoryRoutes(app, deps);
  registerGitRoutes(app, deps);
  registerTrustRoutes(app, deps);
}
