import { getReadiness } from '../contract/studio/probes.ts';
import { answer } from '../http/answer.ts';
import { addAnalysisRoutes } from './analyses/routes.ts';
import { addArtifactRoutes } from './artifacts/routes.ts';
import type { StudioApp } from './caller.ts';
import type { StudioDeps } from './deps.ts';
import { addDraftRoutes } from './drafts/routes.ts';
import { addEnvironmentRoutes } from './environments/routes.ts';
import { addExposureRoutes } from './exposure/routes.ts';
import { addGapRoutes } from './gaps/routes.ts';
import { addGovernRoutes } from './govern/routes.ts';
import { addImportRoutes } from './imports/routes.ts';
import { addMemberRoutes } from './members/routes.ts';
import { addProjectRoutes } from './projects/routes.ts';
import { addSessionRoutes } from './session/routes.ts';
import { addTestRunRoutes } from './test-runs/routes.ts';
import { addTrustRoutes } from './trust/routes.ts';

async function storeAnswers(deps: StudioDeps): Promise<boolean> {
  try {
    await deps.db.selectFrom('principal').select('id').limit(1).execute();
    return await deps.hasDiskRoom();
  } catch (error) {
    deps.log.error({ err: error }, 'the store does not answer');
    return false;
  }
}

/** Binds every route of the studio that is built. */
export function addStudioRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getReadiness, async () => {
    const store = await storeAnswers(deps);
    const body = { status: store ? ('ready' as const) : ('degraded' as const), store };
    return answer(body, { status: store ? 200 : 503 });
  });
  addSessionRoutes(app, deps);
  addProjectRoutes(app, deps);
  addMemberRoutes(app, deps);
  addEnvironmentRoutes(app, deps);
  addExposureRoutes(app, deps);
  addDraftRoutes(app, deps);
  addImportRoutes(app, deps);
  addAnalysisRoutes(app, deps);
  addGapRoutes(app, deps);
  addArtifactRoutes(app, deps);
  addGovernRoutes(app, deps);
  addTestRunRoutes(app, deps);
  addTrustRoutes(app, deps);
}
