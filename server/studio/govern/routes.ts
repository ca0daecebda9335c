import { graphSpec } from '../../contract/platform/client-routes.ts';
import { startDraftRun as startDraftRunRoute } from '../../contract/studio/draft-runs.ts';
import { refuse } from '../../contract/studio/errors.ts';
import * as contract from '../../contract/studio/govern.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { memberOf, type StudioApp, type StudioContext } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { startDraftRun } from '../draft-runs/start-draft-run.ts';
import { readSpecGraph } from '../platform-answers.ts';
import { composePreview } from './compose-preview.ts';
import { openArtifact } from './open-artifact.ts';
import { onPlatform } from './platform-refusal.ts';
import { previewBuffer } from './preview.ts';
import { readComposition } from './read-composition.ts';
import { governanceFailed, runStages } from './stages.ts';
import { drawOr404 } from './topology.ts';

function workflowTypeOf(document: JsonObject): string | undefined {
  const { workflow } = document;
  if (!isObject(workflow)) return undefined;
  const type: unknown = workflow['type'];
  return typeof type === 'string' ? type : undefined;
}

/** Runs the whole pipeline of an artifact and answers the wanted stage (studio.md 9.4). */
async function governStage(
  deps: StudioDeps,
  context: StudioContext,
  artifactId: string,
  wanted: contract.StageView['stage'],
): Promise<contract.StageView> {
  const { binding, gated } = await openArtifact(deps, memberOf(context).project, artifactId);
  const client = await deps.connections.clientFor(deps.db, binding);
  const call = {
    client,
    document: gated.document,
    environment: binding.platform_environment,
    signal: context.signal,
  };
  const stages = await runStages(deps, call, wanted);
  const view = stages.find((stage) => stage.stage === wanted);
  if (view === undefined) throw governanceFailed(stages);
  return view;
}

/** Binds the routes that ask the platform about an artifact or a buffer. */
export function registerGovernRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.validateArtifact, ({ body }, context) =>
    governStage(deps, context, body.artifact_id, 'validate'),
  );
  app.implement(contract.compileArtifact, ({ body }, context) =>
    governStage(deps, context, body.artifact_id, 'compile'),
  );
  app.implement(contract.reportArtifactPolicy, ({ body }, context) =>
    governStage(deps, context, body.artifact_id, 'policy_report'),
  );
  app.implement(contract.previewDraft, ({ body }, context) =>
    previewBuffer(deps, memberOf(context).project, body, context.signal),
  );
  app.implement(startDraftRunRoute, ({ body }, context) =>
    startDraftRun(deps, memberOf(context), body, context.signal),
  );
  app.implement(contract.getArtifactGraph, async ({ body }, context) => {
    const opened = await openArtifact(deps, memberOf(context).project, body.artifact_id);
    const { document } = opened.gated;
    const environment = opened.binding.platform_environment;
    const client = await deps.connections.clientFor(deps.db, opened.binding);
    return onPlatform(deps, () =>
      drawOr404(
        () =>
          client.read(
            graphSpec,
            readSpecGraph,
            { body: { spec: document, environment } },
            { signal: context.signal },
          ),
        workflowTypeOf(document),
      ),
    );
  });
  app.implement(contract.composeSpec, ({ body }, context) =>
    composePreview(deps, memberOf(context).project, body),
  );
  app.implement(contract.getComposition, ({ params }, context) =>
    readComposition(deps, memberOf(context).project.id, params.artifact_id),
  );
  app.implement(contract.explainArtifact, () => {
    throw refuse('not_implemented');
  });
}
