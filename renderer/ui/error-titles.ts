import type { ApiError } from '../data/api-error.ts';

/** What happened, by code, where the status alone does not say it. */
const BY_CODE: Readonly<Record<string, string>> = {
  network_error: 'The services do not answer',
  not_ready: 'The services are starting',
  no_answer: 'The service does not answer',
  not_served_here: 'This is not at this address',
  response_invalid: 'The answer cannot be read',
  client_error: 'The window met a problem',
  gateway_unauthorized: 'You are signed out',
  gateway_session_expired: 'Your session has ended',
  link_required: 'This is for who runs the program',
  sign_in_required: 'Sign in to operations first',
  role_refused: 'Your role does not allow this',
  rights_unknown: 'The dashboard does not answer',
  connection_unreachable: 'The service cannot be reached',
  platform_unreachable: 'The run platform cannot be reached',
  platform_unavailable: 'The run platform is not ready',
  platform_unauthorized: 'The run platform refused the key',
  platform_not_configured: 'No run platform is connected',
  platform_auth_failed: 'The run platform refused the key',
  project_not_found: 'There is no such project',
  draft_not_found: 'There is no such draft',
  draft_stale: 'The draft was changed elsewhere',
  draft_exists: 'There is a draft of this name',
  draft_write_failed: 'The file could not be written',
  draft_read_only: 'The draft is here for reading only',
  request_too_large: 'It is too large',
  version_names_full: 'A hundred versions have names',
  version_not_found: 'The version is not kept any more',
  trash_entry_not_found: 'It is not in the trash any more',
  git_unavailable: 'Git does not answer for this folder',
  artifact_not_found: 'There is no such artifact',
  artifact_deleted: 'The artifact was deleted',
  component_wrong_kind: 'A layer is of another kind',
  snapshot_unavailable: 'A layer cannot be read',
  snapshot_corrupt: 'The frozen text is damaged',
  spec_too_complex: 'The composed spec is too large',
  quota_exceeded: 'There is no room left',
  analysis_not_found: 'There is no such import',
  analysis_quarantined: 'The stored import is damaged',
  analysis_payload_reclaimed: 'The details of this import are gone',
  exposure_unconfirmed: 'The project’s folder is another one',
  exposure_stale: 'The list changed meanwhile',
  exposure_changed: 'The list changed meanwhile',
  exposure_confirmation_required: 'The exposure is not confirmed',
  last_owner: 'A project needs an owner',
  quota_principal_membership: 'This person carries the storage',
  member_not_found: 'Nobody here is known by this id',
  selector_unavailable: 'People do not sign in this way here',
  selector_not_addressable: 'Nobody can be invited by this',
  unknown_selector: 'Nobody can be invited this way',
  too_many_invitations: 'Too many invitations in an hour',
  invitation_not_found: 'The invitation is over',
  transfer_to_self: 'You carry the storage already',
  target_not_a_member: 'They are no member of the project',
  target_cannot_answer: 'They cannot answer',
  transfer_already_proposed: 'There is an open offer',
  not_the_quota_principal: 'Somebody else carries the storage',
  no_such_transfer: 'The offer is over',
  not_the_transfer_target: 'The offer is for somebody else',
  transfer_busy: 'Something is being stored right now',
  target_quota_exceeded: 'Your storage has no room for it',
  project_limit_reached: 'No more projects can be carried',
  analysis_keys_unavailable: 'The keys of the imports are not there',
  analysis_not_for_ref: 'This import belongs to another draft',
  analysis_stale: 'The artifact does not carry this import',
  gap_unknown: 'There is no such gap any more',
  resolution_requires_an_edit: 'The draft is as it was imported',
  nothing_to_retract: 'Nothing was attested',
  assertion_refused: 'This draft has a source',
  unknown_alias: 'The alias is not bound',
  analysis_taint_full: 'No room for another import',
  analysis_taint_retention_full: 'No room for another import',
  project_root_unavailable: 'The project folder cannot be opened',
  source_unparseable: 'The file is no export',
  source_too_large: 'The file is too large',
  store_unavailable: 'The store does not answer',
  queue_full: 'Too many runs are waiting',
  permission_denied: 'The platform does not allow this',
  rate_limited: 'The platform is asked too often',
  dashboard_state_conflict: 'Somebody else saved it meanwhile',
  project_unbound: 'No platform is bound',
  environment_unavailable: 'The platform’s profile cannot be used',
  environment_changed: 'The alias leads to another address now',
  bound_by_operator: 'Who runs the studio binds its platforms',
  generation_not_found: 'There is no such generation',
  last_live_binding: 'It is the last binding',
  registry_not_told: 'The platform tells no registry',
  artifact_not_portable: 'Something ties the artifact to this project',
  artifact_governance_failed: 'The platform refuses the artifact',
};

const BY_STATUS: readonly (readonly [status: number, title: string])[] = [
  [0, 'The services do not answer'],
  [401, 'You are not signed in'],
  [403, 'Your role does not allow this'],
  [404, 'It does not exist'],
  [409, 'It was changed meanwhile'],
  [410, 'It was deleted'],
  [413, 'It is too large'],
  [422, 'The request was refused'],
  [429, 'Too many requests at once'],
  [502, 'A service cannot be reached'],
  [503, 'A service is not ready'],
  [504, 'A service cannot be reached'],
];

/** Codes whose message says no more than their title. */
const SAID = new Set([
  'project_not_found',
  'draft_not_found',
  'artifact_not_found',
  'analysis_not_found',
]);

/** True when the title of a code leaves nothing for its message to say. */
export function isSaidByTitle(code: string): boolean {
  return SAID.has(code);
}

/** What happened, in a few words: never that "this" did not work. */
export function errorTitle(error: Pick<ApiError, 'code' | 'status'>): string {
  if (error.code === 'upstream_error') {
    return error.status === 504 ? 'The run platform cannot be reached' : 'The run platform failed';
  }
  if (Object.hasOwn(BY_CODE, error.code)) {
    return BY_CODE[error.code] ?? '';
  }
  const known = BY_STATUS.find(([status]) => status === error.status)?.[1];
  return known ?? (error.status >= 500 ? 'The service failed' : 'The request was refused');
}
