import { holdsSecret, isRandomWord, secretsInText } from '../../../kernel/secrets-in-text.ts';
import type { Loss, Node } from '../../graph-ir.ts';
import { findHiddenSecrets, type SecretHit } from '../../hidden-secrets.ts';
import { allMatchingLosses } from '../cannot-run.ts';
import type { N8nNode } from '../document.ts';
import { itemProfile } from '../items/profile.ts';
import { itemRoles } from '../items/rows.ts';
import type { N8nProfile, Scene } from '../scene.ts';
import { isUnknownVersion } from '../type-versions.ts';
import { extendedAttachmentLoss } from './agent-extras.ts';
import { EXTENDED_MODELS, extendedModelLosses, modelInFlow } from './models.ts';
import { repairDocument } from './repair.ts';
import { EXTENDED_ROWS } from './rows.ts';
import { carriedErrorRoute, carriedRunSettings } from './run-settings.ts';
import { withStatusConditions } from './status-conditions.ts';

function assumedVersion(node: N8nNode): Loss[] {
  if (!isUnknownVersion(node.type, node.version)) return [];
  const detail = `"${node.name}" has version ${node.version} of ${node.type}; it was read by the rules of the newest known one.`;
  return [{ ref: node.ref, kind: 'version_assumed', severity: 'info', detail }];
}

function hiddenSecrets(node: N8nNode): readonly SecretHit[] {
  const credentials = [...node.credentials.values()];
  const values = credentials.filter(isRandomWord);
  const shaped = [...[node.name, node.id, ...credentials].flatMap(secretsInText), ...values];
  if (shaped.length === 0) return findHiddenSecrets(node.parameters, '');
  const outside = [...new Set(shaped)].map((text) => ({ path: 'its own names', text }));
  return [...findHiddenSecrets(node.parameters, ''), ...outside];
}

/** What a loss quotes of the file is looked through as well. */
function withQuotedSecrets(nodes: Node[], scene: Scene): Node[] {
  for (const { detail } of scene.losses) {
    for (const text of secretsInText(detail)) scene.literals.add(text);
  }
  return nodes;
}

/** Flows of texts: repairs, and a place in the draft for every element (importers 14). */
const TEXT_PROFILE: N8nProfile = {
  repair: repairDocument,
  roles: EXTENDED_ROWS,
  models: EXTENDED_MODELS,
  versionLosses: assumedVersion,
  looksSecret: holdsSecret,
  hiddenSecrets,
  readsQuiet: true,
  attachmentLoss: extendedAttachmentLoss,
  passes: [carriedRunSettings, allMatchingLosses],
  modelLosses: extendedModelLosses,
  strandedLosses: () => [],
  errorRouteLoss: carriedErrorRoute,
  modelInFlowLoss: modelInFlow,
  finish: (nodes, scene) => withStatusConditions(withQuotedSecrets(nodes, scene)),
};

/** The extended conversion: a flow of items where steps have built-in handlers, else one of texts. */
export const EXTENDED_PROFILE: N8nProfile = {
  ...TEXT_PROFILE,
  items: { rolesOf: itemRoles, profile: itemProfile(TEXT_PROFILE, withQuotedSecrets) },
};
