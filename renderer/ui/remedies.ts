import { OPERATIONS_REMEDIES } from './operations-remedies.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  ...OPERATIONS_REMEDIES,
  network_error: 'Wait a moment and try again; the status bar shows when the services are ready.',
  not_served_here: 'Start the whole workbench by “specwright serve”; its address has both.',
  gateway_unauthorized:
    'Ask the program for a link ("specwright link") and open it in this browser.',
  gateway_session_expired:
    'Ask the program for a new link ("specwright link") and open it in this browser.',
  connection_unreachable: 'The connection is not answering. Check that it is running.',
  platform_unreachable: 'The run platform is not answering. Check its state in the status bar.',
  platform_auth_failed:
    'The run platform refused the stored key. Set a valid one for this connection.',
  draft_stale: 'The file changed since it was read. Compare both versions and save again.',
  draft_not_found: 'The file is gone or no longer belongs to the project.',
  exposure_unconfirmed:
    'The project’s folder is not the one that was confirmed: it was replaced, moved or restored. Until an owner confirms what it exposes, nothing of it is read or written.',
  exposure_stale: 'Files were added or removed meanwhile. Look at the list again.',
  exposure_changed: 'Files were added or removed meanwhile. Try again with the list as it is now.',
  exposure_confirmation_required: 'Confirm what the project exposes before anybody else sees it.',
  last_owner: 'Make somebody else an owner first.',
  quota_principal_membership:
    'Their storage carries the project. Hand the storage charge to somebody else first.',
  member_not_found: 'Nobody here is known by this id. Invite them, or let them sign in first.',
  selector_unavailable: 'People do not sign in this way here. Choose another way to name them.',
  selector_not_addressable: 'Nobody can sign in with this. Check what you typed.',
  too_many_invitations: 'You may send 30 invitations in an hour. Wait a while.',
  invitation_not_found: 'It was used, taken back or has run out.',
  target_not_a_member: 'Add them to the project first.',
  target_cannot_answer: 'Their account is disabled. Choose another member.',
  transfer_already_proposed: 'Wait until the open offer is answered or has run out.',
  no_such_transfer: 'It was answered already, or has run out. It can be offered again.',
  target_quota_exceeded: 'Delete artifacts of your other projects first, or decline.',
  draft_write_failed:
    'Nothing was changed. Check that the disk has room and that the folder may be written, then try again.',
  draft_read_only:
    'Remove it from the list and add it again to edit it, or save your text under another name.',
  draft_exists: 'Something of this name stands there already. Choose another name.',
  request_too_large: 'Split it into parts; one request carries at most 4 MiB.',
  store_unavailable:
    'Nothing was changed. Try again in a moment; if it goes on, check that the disk of the data folder has room.',
  version_names_full: 'Take the name of another version away first.',
  git_unavailable:
    'Check that git is installed here and that “git status” works in the folder of the project.',
  project_root_unavailable: 'The project folder cannot be opened. Check that it still exists.',
  source_unparseable: 'Choose an export file of a supported tool, unchanged.',
  source_too_large:
    'Sources of up to 1 MiB can be imported. Split the workflow or remove embedded data.',
  source_too_complex: 'Split the workflow into parts and import them one by one.',
  source_credential_in_generated_content: 'Move the secret into a credential of the source tool.',
  spec_capability_refused:
    'Trust the project’s folder if you know who wrote what is in it, or take out what is listed.',
  project_unbound: 'Bind a platform on the page Environments.',
  unknown_alias: 'Choose another alias, or bind this one on the page Environments.',
  environment_unavailable:
    'Put the profile back, or give the alias its next generation with another one.',
  environment_changed:
    'Give the alias its next generation on the page Environments, then make a new artifact.',
  registry_not_told: 'Attach a registry from a file.',
  artifact_not_portable: 'See the blockers of the artifact, each with its fix, or export a bundle.',
  snapshot_unavailable: 'Open the draft, check that it is a valid file, and try again.',
  component_wrong_kind: 'Choose a spec as the base and overlays to lay over it.',
  snapshot_corrupt: 'Create a new artifact from the draft; this one cannot be used any more.',
  quota_exceeded: 'Delete artifacts that nobody needs any more.',
  artifact_deleted: 'Create a new artifact from the draft.',
  forbidden: 'Your role in this project does not allow this. Ask an owner.',
  analysis_payload_reclaimed: 'Import the source again to get its gap details back.',
  analysis_quarantined:
    'Artifacts that carry it cannot be exported: create a new one after the import.',
  analysis_not_found: 'It is not of this project. Choose an import under Gaps.',
  analysis_keys_unavailable:
    'The keys beside the studio’s database are missing. Put them back from a copy.',
  analysis_not_for_ref: 'Open the gaps of the draft that it belongs to; Gaps lists all of them.',
  analysis_stale: 'Create a new artifact of the draft, and acknowledge the gap for that one.',
  gap_unknown: 'Read the gaps again; another import may have taken its place.',
  resolution_requires_an_edit: 'Fix the gap in the draft first, then attest it.',
  nothing_to_retract: 'It was taken back already, or attested for another revision.',
  assertion_refused: 'It was imported or analysed. Settle its gaps in place of that.',
  analysis_taint_full: 'Delete drafts of imports that nobody needs, or ask the operator for more.',
  analysis_taint_retention_full: 'Ask the operator to raise what this project may keep.',
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
    return { command: 'project.trust', label: 'Trust this folder…' };
  }
  if (code === 'connection_gone' || OF_CONNECTION.test(code)) {
    return { command: 'go.connections', label: 'Open the connection' };
  }
  return BY_EXPOSURE.has(code)
    ? { command: 'go.exposure', label: 'See what the project exposes' }
    : undefined;
}
