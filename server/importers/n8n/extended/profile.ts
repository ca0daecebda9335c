import type { Loss } from '../../graph-ir.ts';
import { looksSecret } from '../../secret-names.ts';
import { findSecretShapes } from '../../secret-shapes.ts';
import { allMatchingLosses } from '../cannot-run.ts';
import type { N8nNode } from '../document.ts';
import type { N8nProfile } from '../scene.ts';
import { isUnknownVersion } from '../type-versions.ts';
import { extendedAttachmentLoss } from './agent-extras.ts';
import { EXTENDED_MODELS, extendedModelLosses } from './models.ts';
import { repairDocument } from './repair.ts';
import { EXTENDED_ROWS } from './rows.ts';
import { carriedErrorRoute, carriedRunSettings } from './run-settings.ts';
import { withStatusConditions } from './status-conditions.ts';

/** Fields whose name has a secret's word in it but that only name a kind of credential. */
const KIND_FIELDS: ReadonlySet<string> = new Set([
  'nodeCredentialType',
  'genericAuthType',
  'genericCredentialType',
  'credentialType',
]);

function assumedVersion(node: N8nNode): Loss[] {
  if (!isUnknownVersion(node.type, node.version)) return [];
  const detail = `"${node.name}" has version ${node.version} of ${node.type}; it was read by the rules of the newest known one.`;
  return [{ ref: node.ref, kind: 'version_assumed', severity: 'info', detail }];
}

/** The extended conversion: repairs, and a place in the draft for every element (importers 14). */
export const EXTENDED_PROFILE: N8nProfile = {
  repair: repairDocument,
  roles: EXTENDED_ROWS,
  models: EXTENDED_MODELS,
  versionLosses: assumedVersion,
  looksSecret: (label) => !KIND_FIELDS.has(label) && looksSecret(label),
  secretShapes: findSecretShapes,
  attachmentLoss: extendedAttachmentLoss,
  passes: [carriedRunSettings, allMatchingLosses],
  modelLosses: extendedModelLosses,
  strandedLosses: () => [],
  errorRouteLoss: carriedErrorRoute,
  finish: withStatusConditions,
};
