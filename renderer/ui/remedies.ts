import { t } from '../../preload/texts/t.ts';
import { OPERATIONS_REMEDIES } from './operations-remedies.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  ...OPERATIONS_REMEDIES,
  network_error: t(
    'Wait a moment and try again; the status bar shows when the services are ready.',
  ),
  not_served_here: t('Start the whole workbench by “specwright serve”; its address has both.'),
  gateway_unauthorized: t(
    'Ask the program for a link ("specwright link") and open it in this browser.',
  ),
  gateway_session_expired: t(
    'Ask the program for a new link ("specwright link") and open it in this browser.',
  ),
  connection_unreachable: t('The connection is not answering. Check that it is running.'),
  platform_unreachable: t('The run platform is not answering. Check its state in the status bar.'),
  platform_auth_failed: t(
    'The run platform refused the stored key. Set a valid one for this connection.',
  ),
  draft_stale: t('The file changed since it was read. Compare both versions and save again.'),
  draft_not_found: t('The file is gone or no longer belongs to the project.'),
  exposure_unconfirmed: t(
    'The project’s folder is not the one that was confirmed: it was replaced, moved or restored. Until an owner confirms what it exposes, nothing of it is read or written.',
  ),
  exposure_stale: t('Files were added or removed meanwhile. Look at the list again.'),
  exposure_changed: t(
    'Files were added or removed meanwhile. Try again with the list as it is now.',
  ),
  exposure_confirmation_required: t(
    'Confirm what the project exposes before anybody else sees it.',
  ),
  last_owner: t('Make somebody else an owner first.'),
  quota_principal_membership: t(
    'Their storage carries the project. Hand the storage charge to somebody else first.',
  ),
  member_not_found: t('Nobody here is known by this id. Invite them, or let them sign in first.'),
  selector_unavailable: t('People do not sign in this way here. Choose another way to name them.'),
  selector_not_addressable: t('Nobody can sign in with this. Check what you typed.'),
  too_many_invitations: t('You may send 30 invitations in an hour. Wait a while.'),
  invitation_not_found: t('It was used, taken back or has run out.'),
  target_not_a_member: t('Add them to the project first.'),
  target_cannot_answer: t('Their account is disabled. Choose another member.'),
  transfer_already_proposed: t('Wait until the open offer is answered or has run out.'),
  no_such_transfer: t('It was answered already, or has run out. It can be offered again.'),
  target_quota_exceeded: t('Delete artifacts of your other projects first, or decline.'),
  draft_write_failed: t(
    'Nothing was changed. Check that the disk has room and that the folder may be written, then try again.',
  ),
  draft_read_only: t(
    'Remove it from the list and add it again to edit it, or save your text under another name.',
  ),
  draft_exists: t('Something of this name stands there already. Choose another name.'),
  request_too_large: t('Split it into parts; one request carries at most 4 MiB.'),
  store_unavailable: t(
    'Nothing was changed. Try again in a moment; if it goes on, check that the disk of the data folder has room.',
  ),
  version_names_full: t('Take the name of another version away first.'),
  git_unavailable: t(
    'Check that git is installed here and that “git status” works in the folder of the project.',
  ),
  project_root_unavailable: t('The project folder cannot be opened. Check that it still exists.'),
  source_unparseable: t('Choose an export file of a supported tool, unchanged.'),
  source_too_large: t(
    'Sources of up to 1 MiB can be imported. Split the workflow or remove embedded data.',
  ),
  source_too_complex: t('Split the workflow into parts and import them one by one.'),
  source_credential_in_generated_content: t(
    'Move the secret into a credential of the source tool.',
  ),
  spec_capability_refused: t(
    'Trust the project’s folder if you know who wrote what is in it, or take out what is listed.',
  ),
  project_unbound: t('Bind a platform on the page Environments.'),
  unknown_alias: t('Choose another alias, or bind this one on the page Environments.'),
  environment_unavailable: t(
    'Put the profile back, or give the alias its next generation with another one.',
  ),
  environment_changed: t(
    'Give the alias its next generation on the page Environments, then make a new artifact.',
  ),
  registry_not_told: t('Attach a registry from a file.'),
  artifact_not_portable: t(
    'See the blockers of the artifact, each with its fix, or export a bundle.',
  ),
  snapshot_unavailable: t('Open the draft, check that it is a valid file, and try again.'),
  component_wrong_kind: t('Choose a spec as the base and overlays to lay over it.'),
  snapshot_corrupt: t('Create a new artifact from the draft; this one cannot be used any more.'),
  quota_exceeded: t('Delete artifacts that nobody needs any more.'),
  artifact_deleted: t('Create a new artifact from the draft.'),
  forbidden: t('Your role in this project does not allow this. Ask an owner.'),
  analysis_payload_reclaimed: t('Import the source again to get its gap details back.'),
  analysis_quarantined: t(
    'Artifacts that carry it cannot be exported: create a new one after the import.',
  ),
  analysis_not_found: t('It is not of this project. Choose an import under Gaps.'),
  analysis_keys_unavailable: t(
    'The keys beside the studio’s database are missing. Put them back from a copy.',
  ),
  analysis_not_for_ref: t('Open the gaps of the draft that it belongs to; Gaps lists all of them.'),
  analysis_stale: t('Create a new artifact of the draft, and acknowledge the gap for that one.'),
  gap_unknown: t('Read the gaps again; another import may have taken its place.'),
  resolution_requires_an_edit: t('Fix the gap in the draft first, then attest it.'),
  nothing_to_retract: t('It was taken back already, or attested for another revision.'),
  assertion_refused: t('It was imported or analysed. Settle its gaps in place of that.'),
  analysis_taint_full: t(
    'Delete drafts of imports that nobody needs, or ask the operator for more.',
  ),
  analysis_taint_retention_full: t('Ask the operator to raise what this project may keep.'),
};

/** One sentence on what a person can do about a refusal; undefined when the message says all. */
export function remedyOf(code: string): string | undefined {
  return Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
}

/** Codes that end on the page of what the project exposes. */
const BY_EXPOSURE = new Set([
  'exposure_unconfirmed',
  'exposure_stale',
  'exposure_changed',
  'exposure_confirmation_required',
]);

/** Codes that the settings of a connection, or its test, settle. */
const OF_CONNECTION = /^remote_(?!lacks$)/;

/** The page where a refusal can be settled, as a command and its button; undefined for none. */
export function remedyPlaceOf(
  code: string,
): { readonly command: string; readonly label: string } | undefined {
  if (code === 'spec_capability_refused') {
    return { command: 'project.trust', label: t('Trust this folder…') };
  }
  if (code === 'connection_gone' || OF_CONNECTION.test(code)) {
    return { command: 'go.connections', label: t('Open the connection') };
  }
  return BY_EXPOSURE.has(code)
    ? { command: 'go.exposure', label: t('See what the project exposes') }
    : undefined;
}
