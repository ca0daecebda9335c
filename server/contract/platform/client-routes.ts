import { resumeHumanTaskRoute } from './human-tasks.ts';
import { DEFAULT_REQUEST_LIMITS } from './limits.ts';
import { policyWriteRoutes } from './policies.ts';
import { recoverRoutes } from './recover.ts';
import { rerunRoute } from './rerun.ts';
import { createRunRoute, runSpecRoute } from './runs.ts';
import { specRoutes } from './specs.ts';

// The routes whose bodies have configured limits, as clients call them: the platform holds its own.

export const createRun = createRunRoute(DEFAULT_REQUEST_LIMITS);
export const runSpec = runSpecRoute(DEFAULT_REQUEST_LIMITS);
export const { checkRecovery, recoverRun } = recoverRoutes(DEFAULT_REQUEST_LIMITS);
export const rerunRun = rerunRoute(DEFAULT_REQUEST_LIMITS);
export const resumeHumanTask = resumeHumanTaskRoute(DEFAULT_REQUEST_LIMITS);
export const { putEnvironmentPolicy, previewEnvironmentPolicy } =
  policyWriteRoutes(DEFAULT_REQUEST_LIMITS);
export const { validateSpec, compileSpec, explainSpec, graphSpec, reportSpecPolicy } =
  specRoutes(DEFAULT_REQUEST_LIMITS);
