import { convertConfigApp } from './config-app.ts';
import { strictRoleOf } from './roles.ts';
import { runLosses } from './run-settings.ts';
import type { DifyProfile } from './scene.ts';

/** The strict conversion of Dify apps: the base table (decisions 15). */
export const STRICT_PROFILE: DifyProfile = {
  roleOf: (node, scene) => strictRoleOf(node, scene.containers),
  runLosses,
  finish: (graph) => graph,
  configApp: convertConfigApp,
  hiddenSecrets: () => [],
};
