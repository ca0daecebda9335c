import { looksSecret } from '../../kernel/secret-names.ts';
import { unreadTexts } from './agents.ts';
import { attachmentLoss } from './attachments.ts';
import { allMatchingLosses, cannotRunLosses } from './cannot-run.ts';
import { foldModel, MODEL_TYPES, strandedModels } from './models.ts';
import { BASE_ROWS, FIRST_ROWS } from './roles.ts';
import { runSettingLosses } from './run-settings.ts';
import type { N8nProfile } from './scene.ts';
import { isUnknownVersion } from './type-versions.ts';

/** The strict conversion: the base table, no repairs (decisions 15). */
export const STRICT_PROFILE: N8nProfile = {
  repair: (root) => ({ root, repairs: [] }),
  roles: [...FIRST_ROWS, ...BASE_ROWS],
  models: MODEL_TYPES,
  versionLosses: (node) =>
    isUnknownVersion(node.type, node.version)
      ? [
          {
            ref: node.ref,
            kind: 'proprietary_node',
            detail: `"${node.name}" has version ${node.version} of ${node.type}, whose parameters are not known.`,
          },
        ]
      : [],
  looksSecret,
  hiddenSecrets: () => [],
  readsQuiet: false,
  attachmentLoss,
  passes: [runSettingLosses, unreadTexts, allMatchingLosses, cannotRunLosses],
  modelLosses: foldModel,
  strandedLosses: strandedModels,
  errorRouteLoss: (node) => ({
    ref: node.ref,
    kind: 'error_route_not_carried',
    detail: `Failures of "${node.name}" take a route of their own in the source; in the draft it is an ordinary edge.`,
  }),
  finish: (nodes) => nodes,
};
