import { t } from '../../preload/texts/t.ts';
import type { ApiError } from '../data/api-error.ts';

/** What happened, by code, where the status alone does not say it. */
const BY_CODE: Readonly<Record<string, string>> = {
  network_error: t('The services do not answer'),
  not_ready: t('The services are starting'),
  no_answer: t('The service does not answer'),
  not_served_here: t('This is not at this address'),
  response_invalid: t('The answer cannot be read'),
  client_error: t('The window met a problem'),
  gateway_unauthorized: t('You are signed out'),
  gateway_session_expired: t('Your session has ended'),
  link_required: t('This is for who runs the program'),
  sign_in_required: t('Sign in to operations first'),
  role_refused: t('Your role does not allow this'),
  rights_unknown: t('The dashboard does not answer'),
  connection_unreachable: t('The service cannot be reached'),
  connection_gone: t('The connection was removed'),
  connection_refused: t('The connection cannot be kept'),
  certificate_refused: t('The certificate cannot be used'),
  remote_authority_unknown: t('Nobody known vouches for the server'),
  remote_name_wrong: t('The certificate is for another host'),
  remote_certificate_expired: t('The server’s certificate is not valid today'),
  remote_identity_changed: t('The server is not the one of before'),
  remote_wants_certificate: t('The server wants a client certificate'),
  remote_tls_failed: t('No secure connection was made'),
  remote_proxy_failed: t('The proxy refused'),
  remote_proxy_kind: t('The proxy is of another kind'),
  remote_host_unknown: t('The host is not known'),
  remote_redirected: t('The server sends elsewhere'),
  remote_lacks: t('This platform cannot do that'),
  remote_key_refused: t('The server refused the key'),
  remote_key_missing: t('The connection has no key'),
  remote_sign_in_required: t('Sign in at the connection again'),
  sign_in_refused: t('The provider refused the sign-in'),
  sign_in_failed: t('The provider cannot be trusted'),
  sign_in_unreachable: t('The provider does not answer'),
  sign_in_given_up: t('Nobody came back from the browser'),
  platform_unreachable: t('The run platform cannot be reached'),
  platform_unavailable: t('The run platform is not ready'),
  platform_unauthorized: t('The run platform refused the key'),
  platform_not_configured: t('No run platform is connected'),
  platform_auth_failed: t('The run platform refused the key'),
  project_not_found: t('There is no such project'),
  draft_not_found: t('There is no such draft'),
  draft_stale: t('The draft was changed elsewhere'),
  draft_exists: t('There is a draft of this name'),
  draft_write_failed: t('The file could not be written'),
  draft_read_only: t('The draft is here for reading only'),
  request_too_large: t('It is too large'),
  version_names_full: t('A hundred versions have names'),
  version_not_found: t('The version is not kept any more'),
  trash_entry_not_found: t('It is not in the trash any more'),
  git_unavailable: t('Git does not answer for this folder'),
  artifact_not_found: t('There is no such artifact'),
  artifact_deleted: t('The artifact was deleted'),
  component_wrong_kind: t('A layer is of another kind'),
  snapshot_unavailable: t('A layer cannot be read'),
  snapshot_corrupt: t('The frozen text is damaged'),
  spec_too_complex: t('The composed spec is too large'),
  quota_exceeded: t('There is no room left'),
  analysis_not_found: t('There is no such import'),
  analysis_quarantined: t('The stored import is damaged'),
  analysis_payload_reclaimed: t('The details of this import are gone'),
  exposure_unconfirmed: t('The project’s folder is another one'),
  exposure_stale: t('The list changed meanwhile'),
  exposure_changed: t('The list changed meanwhile'),
  exposure_confirmation_required: t('The exposure is not confirmed'),
  last_owner: t('A project needs an owner'),
  quota_principal_membership: t('This person carries the storage'),
  member_not_found: t('Nobody here is known by this id'),
  selector_unavailable: t('People do not sign in this way here'),
  selector_not_addressable: t('Nobody can be invited by this'),
  unknown_selector: t('Nobody can be invited this way'),
  too_many_invitations: t('Too many invitations in an hour'),
  invitation_not_found: t('The invitation is over'),
  transfer_to_self: t('You carry the storage already'),
  target_not_a_member: t('They are no member of the project'),
  target_cannot_answer: t('They cannot answer'),
  transfer_already_proposed: t('There is an open offer'),
  not_the_quota_principal: t('Somebody else carries the storage'),
  no_such_transfer: t('The offer is over'),
  not_the_transfer_target: t('The offer is for somebody else'),
  transfer_busy: t('Something is being stored right now'),
  target_quota_exceeded: t('Your storage has no room for it'),
  project_limit_reached: t('No more projects can be carried'),
  analysis_keys_unavailable: t('The keys of the imports are not there'),
  analysis_not_for_ref: t('This import belongs to another draft'),
  analysis_stale: t('The artifact does not carry this import'),
  gap_unknown: t('There is no such gap any more'),
  resolution_requires_an_edit: t('The draft is as it was imported'),
  nothing_to_retract: t('Nothing was attested'),
  assertion_refused: t('This draft has a source'),
  unknown_alias: t('The alias is not bound'),
  analysis_taint_full: t('No room for another import'),
  analysis_taint_retention_full: t('No room for another import'),
  project_root_unavailable: t('The project folder cannot be opened'),
  source_unparseable: t('The file is no export'),
  source_too_large: t('The file is too large'),
  store_unavailable: t('The store does not answer'),
  queue_full: t('Too many runs are waiting'),
  sync_runs_full: t('Too many runs execute at once'),
  too_many_sync_runs: t('Too many runs of one key execute at once'),
  budget_exceeded: t('A budget of this month is used up'),
  code_not_trusted: t('The platform does not trust who signed these functions'),
  code_unusable: t('The functions of this run are damaged or gone'),
  code_too_large: t('The functions of this project are too large to take along'),
  permission_denied: t('The platform does not allow this'),
  rate_limited: t('The platform is asked too often'),
  dashboard_state_conflict: t('Somebody else saved it meanwhile'),
  project_unbound: t('No platform is bound'),
  environment_unavailable: t('The platform’s profile cannot be used'),
  environment_changed: t('The alias leads to another address now'),
  bound_by_operator: t('Who runs the studio binds its platforms'),
  generation_not_found: t('There is no such generation'),
  last_live_binding: t('It is the last binding'),
  registry_not_told: t('The platform tells no registry'),
  artifact_not_portable: t('Something ties the artifact to this project'),
  artifact_governance_failed: t('The platform refuses the artifact'),
};

const BY_STATUS: readonly (readonly [status: number, title: string])[] = [
  [0, t('The services do not answer')],
  [401, t('You are not signed in')],
  [403, t('Your role does not allow this')],
  [404, t('It does not exist')],
  [409, t('It was changed meanwhile')],
  [410, t('It was deleted')],
  [413, t('It is too large')],
  [422, t('The request was refused')],
  [429, t('Too many requests at once')],
  [502, t('A service cannot be reached')],
  [503, t('A service is not ready')],
  [504, t('A service cannot be reached')],
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
    return error.status === 504
      ? t('The run platform cannot be reached')
      : t('The run platform failed');
  }
  if (Object.hasOwn(BY_CODE, error.code)) {
    return BY_CODE[error.code] ?? '';
  }
  const known = BY_STATUS.find(([status]) => status === error.status)?.[1];
  return known ?? (error.status >= 500 ? t('The service failed') : t('The request was refused'));
}
