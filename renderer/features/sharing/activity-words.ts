/** What somebody wanted to do, by the action of the audit log (studio.md 17); whether they did, the outcome says. */
const WORDS: Readonly<Record<string, string>> = {
  accept_quota_transfer: 'Take over the storage',
  acknowledge_gap: 'Acknowledge a gap',
  adopt_studio: 'Take the studio over',
  assert_not_applicable: 'Say that a draft needs no analysis',
  attach_registry: 'Attach a registry to an environment',
  attest_gap: 'Say that a gap is settled',
  bundle_artifact: 'Make a bundle',
  cancel_test_run: 'Stop a run',
  confirm_exposure: 'Confirm the exposure',
  consume_invitation: 'Come in by an invitation',
  create_artifact: 'Make an artifact',
  create_draft: 'Make a draft',
  create_environment: 'Bind an environment',
  create_invitation: 'Invite somebody',
  create_project: 'Make the project',
  decline_quota_transfer: 'Decline the storage',
  delete_artifact: 'Delete an artifact',
  delete_draft: 'Delete a draft',
  delete_invitation: 'Take an invitation back',
  delete_member: 'Remove a member',
  drop_registration: 'Take a file out of the project',
  export_artifact: 'Export an artifact',
  forget_repair: 'Forget a repair',
  get_exposure_preflight: 'Look at the exposure',
  import_artifact: 'Import a workflow',
  list_activity: 'Look at the activity',
  list_invitations: 'Look at the invitations',
  merge_reimport: 'Merge another import',
  move_draft: 'Rename a draft',
  name_version: 'Name a version',
  open_bundle: 'Open a bundle',
  propose_quota_transfer: 'Offer the storage',
  purge_draft: 'Remove a draft from the trash',
  put_member: 'Add a member or change a role',
  reassociate_draft: 'Say where a file went',
  record_repair: 'Keep a repair',
  register_draft: 'Add a file to the project',
  resolve_gap: 'Settle a gap or take that back',
  restore_draft: 'Put a deleted draft back',
  retire_environment: 'Retire a generation of an environment',
  retract_gap: 'Take back that a gap is settled',
  revoke_trust: 'Take trust in the folder back',
  save_draft: 'Save a draft',
  start_draft_run: 'Run a draft',
  start_test_run: 'Run an artifact',
  trust_project: 'Trust the folder',
  'host.add_environment': 'Bind an environment',
  'host.attach_project': 'Make a folder a project',
  'host.reassign_owner': 'Make a member owner',
  'host.reassign_quota': 'Give the storage to a member',
  'host.rebind_environment': 'Bind the project again',
  'host.register_draft': 'Add a file to the project',
  'host.retire_environment': 'Retire an environment',
  'host.rotate_environment': 'Renew an environment',
  'host.set_taint_cap': 'Change the limits',
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
  ref: 'File',
  draft: 'File',
  old_ref: 'File before',
  new_ref: 'File now',
  member: 'Member',
  role: 'Role',
  to: 'To',
  from: 'From',
  owner: 'Owner',
  selector_kind: 'Invited by',
  reason: 'Held because',
  artifact_id: 'Artifact',
  analysis_id: 'Import',
  gap_id: 'Gap',
  alias: 'Environment',
  as: 'Typed by',
};

/** The name of a fact of a row, for people. */
export function factName(field: string): string {
  const words = field.replaceAll('_', ' ');
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why an invitation is held. */
export const HELD_WORDS: Readonly<Record<string, string>> = {
  unconfirmed: 'nobody has confirmed what the project exposes',
  manifest_changed: 'files were added or removed since the exposure was confirmed',
  root_changed: 'the project’s folder is another one than was confirmed',
  unobservable: 'the project’s folder could not be read',
  selector_case_mismatch:
    'the address they signed in with differs from yours in large and small letters',
};

/** A fact of a row, for people; `nameOf` knows who an id is. */
export function factText(field: string, value: unknown, nameOf: (id: string) => string): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  return field === 'reason' ? (HELD_WORDS[value] ?? value) : nameOf(value);
}

/** The fact by which a row is told apart at one look: the file, else the person, else nothing. */
export function mainFact(
  detail: Readonly<Record<string, unknown>>,
  nameOf: (id: string) => string,
): string {
  for (const field of ['ref', 'draft', 'new_ref', 'alias']) {
    const value = detail[field];
    if (typeof value === 'string') {
      return value;
    }
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
