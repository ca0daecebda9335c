/** What somebody did, by the action that the audit log names (studio.md 17). */
const WORDS: Readonly<Record<string, string>> = {
  accept_quota_transfer: 'Took over the storage',
  acknowledge_gap: 'Acknowledged a gap',
  adopt_studio: 'Took the studio over',
  assert_not_applicable: 'Said that a draft needs no analysis',
  attest_gap: 'Said that a gap is settled',
  bundle_artifact: 'Made a bundle',
  cancel_test_run: 'Stopped a run',
  confirm_exposure: 'Confirmed the exposure',
  consume_invitation: 'Came in by an invitation',
  create_artifact: 'Made an artifact',
  create_draft: 'Made a draft',
  create_environment: 'Bound an environment',
  create_invitation: 'Invited somebody',
  create_project: 'Made the project',
  decline_quota_transfer: 'Declined the storage',
  delete_artifact: 'Deleted an artifact',
  delete_draft: 'Deleted a draft',
  delete_invitation: 'Took an invitation back',
  delete_member: 'Removed a member',
  drop_registration: 'Took a file out of the project',
  export_artifact: 'Exported an artifact',
  forget_repair: 'Forgot a repair',
  get_exposure_preflight: 'Looked at the exposure',
  import_artifact: 'Imported a workflow',
  list_activity: 'Looked at the activity',
  list_invitations: 'Looked at the invitations',
  merge_reimport: 'Merged another import',
  move_draft: 'Renamed a draft',
  name_version: 'Named a version',
  open_bundle: 'Opened a bundle',
  propose_quota_transfer: 'Offered the storage to somebody',
  purge_draft: 'Emptied the trash of a draft',
  put_member: 'Added a member or changed a role',
  reassociate_draft: 'Told where a file went',
  record_repair: 'Kept a repair',
  register_draft: 'Added a file to the project',
  resolve_gap: 'Settled a gap or took that back',
  restore_draft: 'Put a deleted draft back',
  retract_gap: 'Took back that a gap is settled',
  revoke_trust: 'Took trust in the folder back',
  save_draft: 'Saved a draft',
  start_draft_run: 'Ran a draft',
  start_test_run: 'Ran an artifact',
  trust_project: 'Trusted the folder',
  'host.add_environment': 'Bound an environment',
  'host.attach_project': 'Made a folder a project',
  'host.reassign_owner': 'Made a member owner',
  'host.reassign_quota': 'Gave the storage to a member',
  'host.rebind_environment': 'Bound the project again',
  'host.register_draft': 'Added a file to the project',
  'host.retire_environment': 'Retired an environment',
  'host.rotate_environment': 'Renewed an environment',
  'host.set_taint_cap': 'Changed the limits',
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
