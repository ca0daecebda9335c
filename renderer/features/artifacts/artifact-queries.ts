import type { RecordingChoice } from '../../../server/contract/platform/recordings.ts';
import {
  deleteArtifact,
  type ExportView,
  exportArtifact,
} from '../../../server/contract/studio/artifacts.ts';
import {
  compileArtifact,
  reportArtifactPolicy,
  type StageView,
  validateArtifact,
} from '../../../server/contract/studio/govern.ts';
import { type StudioTestRun, startTestRun } from '../../../server/contract/studio/test-runs.ts';
import { call } from '../../data/api-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';

/** Deletes an artifact; exports made from it stay where they were saved. */
export async function removeArtifact(projectId: string, artifactId: string): Promise<void> {
  await call(deleteArtifact, { params: { project_id: projectId, artifact_id: artifactId } });
  await invalidateAuthoring();
}

/** The artifact as one file, when nothing holds it back. */
export async function readExport(projectId: string, artifactId: string): Promise<ExportView> {
  return await call(exportArtifact, { params: { project_id: projectId, artifact_id: artifactId } });
}

const STAGES = {
  validate: validateArtifact,
  compile: compileArtifact,
  policy_report: reportArtifactPolicy,
} as const;

export type StageName = keyof typeof STAGES;

/** One stage of the platform on the artifact as it was frozen. */
export async function runStage(
  projectId: string,
  artifactId: string,
  stage: StageName,
): Promise<StageView> {
  return await call(STAGES[stage], {
    params: { project_id: projectId },
    body: { artifact_id: artifactId },
  });
}

/** Starts a run of the artifact on the platform that it is bound to. */
export async function startRun(
  projectId: string,
  artifactId: string,
  input: string,
  recording?: RecordingChoice,
): Promise<StudioTestRun> {
  return await call(startTestRun, {
    params: { project_id: projectId },
    body: {
      artifact_id: artifactId,
      input,
      ...(recording === undefined ? {} : { recording }),
    },
  });
}
