import { t } from '../../../preload/texts/t.ts';

/** What somebody wanted to do, by the action of the audit log (studio.md 17); whether they did, the outcome says. */

const WORDS: Readonly<Record<string, string>> = {
  accept_quota_transfer: t('Take over the storage'),
  acknowledge_gap: t('Acknowledge a gap'),
  adopt_studio: t('Take the studio over'),
  assert_not_applicable: t('Say that a draft needs no analysis'),
  attach_registry: t('Attach a registry to an environment'),
  attest_gap: t('Say that a gap is settled'),
  bundle_artifact: t('Make a bundle'),
  cancel_test_run: t('Stop a run'),
  confirm_exposure: t('Confirm the exposure'),
  consume_invitation: t('Come in by an invitation'),
  create_artifact: t('Make an artifact'),
  create_draft: t('Make a draft'),
  create_environment: t('Bind an environment'),
  create_invitation: t('Invite somebody'),
  create_project: t('Make the project'),
  decline_quota_transfer: t('Decline the storage'),
  delete_artifact: t('Delete an artifact'),
  delete_draft: t('Delete a draft'),
  delete_invitation: t('Take an invitation back'),
  delete_member: t('Remove a member'),
  drop_registration: t('Take a file out of the project'),
  export_artifact: t('Export an artifact'),
  forget_repair: t('Forget a repair'),
  get_exposure_preflight: t('Look at the exposure'),
  import_artifact: t('Import a workflow'),
  list_activity: t('Look at the activity'),
  list_invitations: t('Look at the invitations'),
  merge_reimport: t('Merge another import'),
  move_draft: t('Rename a draft'),
  name_version: t('Name a version'),
  open_bundle: t('Open a bundle'),
  propose_quota_transfer: t('Offer the storage'),
  purge_draft: t('Remove a draft from the trash'),
  put_member: t('Add a member or change a role'),
  reassociate_draft: t('Say where a file went'),
  record_repair: t('Keep a repair'),
  register_draft: t('Add a file to the project'),
  resolve_gap: t('Settle a gap or take that back'),
  restore_draft: t('Put a deleted draft back'),
  retire_environment: t('Retire a generation of an environment'),
  retract_gap: t('Take back that a gap is settled'),
  revoke_trust: t('Take trust in the folder back'),
  save_draft: t('Save a draft'),
  start_draft_run: t('Run a draft'),
  start_test_run: t('Run an artifact'),
  trust_project: t('Trust the folder'),
  'host.add_environment': t('Bind an environment'),
  'host.attach_project': t('Make a folder a project'),
  'host.reassign_owner': t('Make a member owner'),
  'host.reassign_quota': t('Give the storage to a member'),
  'host.rebind_environment': t('Bind the project again'),
  'host.register_draft': t('Add a file to the project'),
  'host.retire_environment': t('Retire an environment'),
  'host.rotate_environment': t('Renew an environment'),
  'host.set_taint_cap': t('Change the limits'),
};

/** An action in plain words; one of another program as its name says it. */
export function actionText(action: string): string {
  if (Object.hasOwn(WORDS, action)) {
    return WORDS[action] ?? action;
  }
  const words = action.replace(/^host\./, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const FIELDS: Readonly<Record<string, string>> = {
  ref: t('File'),
  draft: t('File'),
  old_ref: t('File before'),
  new_ref: t('File now'),
  member: t('Member'),
  role: 'Role',
  to: 'To',
  from: t('From'),
  owner: t('Owner'),
  selector_kind: t('Invited by'),
  reason: t('Held because'),
  artifact_id: t('Artifact'),
  analysis_id: t('Import'),
  gap_id: t('Gap'),
  alias: t('Environment'),
  as: t('Typed by'),
};

/** The name of a fact of a row, for people. */
export function factName(field: string): string {
  const words = field.replaceAll('_', ' ');
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why an invitation is held. */
export const HELD_WORDS: Readonly<Record<string, string>> = {
  unconfirmed: t('nobody has confirmed what the project exposes'),
  manifest_changed: t('files were added or removed since the exposure was confirmed'),
  root_changed: t('the project’s folder is another one than was confirmed'),
  unobservable: t('the project’s folder could not be read'),
  selector_case_mismatch: t(
    'the address they signed in with differs from yours in large and small letters',
  ),
};

/** A fact of a row, for people; `nameOf` knows who an id is. */
export function factText(field: string, value: unknown, nameOf: (id: string) => string): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  return field === 'reason' ? (HELD_WORDS[value] ?? value) : nameOf(value);
}

const PATHS: ReadonlySet<string> = new Set(['ref', 'draft', 'old_ref', 'new_ref']);

/** True for a fact that names a file. */
export function isPathFact(field: string): boolean {
  return PATHS.has(field);
}

/** The file, or the environment, that a row is about. */
function mainPath(detail: Readonly<Record<string, unknown>>): string | undefined {
  const values = ['ref', 'draft', 'new_ref', 'alias'].map((field) => detail[field]);
  return values.find((value) => typeof value === 'string');
}

/** The fact by which a row is told apart at one look: the file, else the person, else nothing. */
export function mainFact(
  detail: Readonly<Record<string, unknown>>,
  nameOf: (id: string) => string,
): string {
  const path = mainPath(detail);
  if (path !== undefined) {
    return path;
  }
  for (const field of ['member', 'to']) {
    const value = detail[field];
    if (typeof value === 'string') {
      const role = typeof detail['role'] === 'string' ? `, ${detail['role']}` : '';
      return nameOf(value) + role;
    }
  }
  const { reason } = detail;
  return typeof reason === 'string' ? (HELD_WORDS[reason] ?? reason) : '';
}
