import { type ErrorTable, refusalsOf } from '../../kernel/refusal.ts';

/** Refusals that any route may answer (studio.md 1.2, 2, 4.4). */
const GENERAL = {
  request_invalid: { status: 422, message: 'The request does not have the expected shape.' },
  request_too_large: {
    status: 413,
    message: 'The request body is larger than this service takes.',
  },
  not_found: { status: 404, message: 'unknown endpoint' },
  method_not_allowed: { status: 405, message: 'This path does not answer that method.' },
  internal_error: { status: 500, message: 'Something went wrong inside the studio.' },
  not_implemented: { status: 501, message: 'This operation is not built yet.' },
  spa_not_built: { status: 503, message: 'The user interface has not been built.' },
  store_unavailable: {
    status: 503,
    message: 'The studio’s database is busy. Try again in a moment.',
    retryable: true,
    retryAfter: 1,
  },
  unauthenticated_bind: {
    status: 403,
    message: 'Without sign-in the studio answers on a loopback address only.',
  },
  unauthenticated_proxy: {
    status: 403,
    message: 'Without sign-in the studio does not answer forwarded requests.',
  },
  deployment_cap_required: {
    status: 403,
    message: 'A shared studio needs a declared storage cap before it serves remote clients.',
  },
  host_not_allowed: { status: 403, message: 'The Host header names a host that is not allowed.' },
  cross_origin_refused: {
    status: 403,
    message: 'A page of another origin may not change anything here.',
  },
} as const satisfies ErrorTable;

/** Sign-in, membership, projects (studio.md 4, 5, 6.1, 6.8, 14). */
const IDENTITY = {
  unauthenticated: { status: 401, message: 'Sign in first.' },
  forbidden: { status: 403, message: 'Your role in this project does not allow that.' },
  login_unavailable: { status: 404, message: 'This sign-in mode has no login.' },
  no_active_principal: { status: 503, message: 'The local owner of this studio is disabled.' },
  invalid_credentials: { status: 401, message: 'The user name or the password is wrong.' },
  not_admitted: { status: 403, message: 'This account is not admitted yet. Ask the operator.' },
  bootstrap_consumed: { status: 409, message: 'This claim cannot be used (any more).' },
  too_many_failed_attempts: { status: 429, message: 'Too many failed sign-ins.', retryAfter: 60 },
  login_capacity_exhausted: { status: 503, message: 'Sign-in is busy.', retryAfter: 1 },
  too_many_login_starts: {
    status: 429,
    message: 'Too many sign-ins were started.',
    retryAfter: 60,
  },
  too_many_login_attempts: { status: 503, message: 'Too many sign-ins are open.', retryAfter: 600 },
  untrusted_forwarding: { status: 403, message: 'Forwarding headers came from an unknown peer.' },
  project_not_found: { status: 404, message: 'There is no such project.' },
  project_creation_disabled: { status: 409, message: 'This studio has no place for new projects.' },
  project_limit_reached: { status: 409, message: 'You have as many projects as allowed.' },
  project_root_overlap: { status: 409, message: 'The folder overlaps that of another project.' },
  project_unbound: {
    status: 409,
    message: 'The project is not bound to a platform under that alias.',
  },
  member_not_found: { status: 404, message: 'There is no such member.' },
  invitation_not_found: { status: 404, message: 'There is no such invitation.' },
  last_owner: { status: 409, message: 'A project keeps at least one active owner.' },
  quota_principal_membership: {
    status: 409,
    message: 'The member who carries the storage charge cannot be removed.',
  },
  unknown_selector: { status: 422, message: 'This kind of selector is unknown.' },
  selector_not_addressable: { status: 400, message: 'Nobody can be addressed by that value.' },
  selector_unavailable: { status: 409, message: 'This studio has no provider for that selector.' },
  too_many_invitations: { status: 429, message: 'Too many invitations in the last hour.' },
  transfer_to_self: { status: 409, message: 'The charge is yours already.' },
  target_not_a_member: { status: 409, message: 'The person is no active member.' },
  target_cannot_answer: { status: 409, message: 'The person cannot answer.' },
  transfer_already_proposed: { status: 409, message: 'A transfer is open already.' },
  no_such_transfer: { status: 409, message: 'There is no open transfer of that id.' },
  not_the_quota_principal: { status: 409, message: 'Only who carries the charge can offer it.' },
  not_the_transfer_target: { status: 409, message: 'Only the person asked can answer.' },
  transfer_busy: { status: 409, message: 'A write is under way. Try again.' },
  target_quota_exceeded: { status: 409, message: 'The person has no room for this charge.' },
} as const satisfies ErrorTable;

/** Trees, drafts, exposure (studio.md 6). */
const TREE = {
  exposure_unconfirmed: {
    status: 409,
    message: 'The project folder was replaced. An owner must look at it and confirm its exposure.',
  },
  project_root_unavailable: { status: 409, message: 'The project folder cannot be opened.' },
  exposure_stale: { status: 409, message: 'The exposure changed since you read it.' },
  exposure_changed: { status: 409, message: 'The exposure changed since you read it.' },
  exposure_confirmation_required: {
    status: 409,
    message: 'Confirm what this project exposes before sharing it.',
  },
  draft_not_found: { status: 404, message: 'There is no such draft.' },
  draft_stale: { status: 409, message: 'The file changed since you read it.' },
  draft_read_only: { status: 403, message: 'This draft is registered for reading only.' },
  draft_exists: { status: 409, message: 'There is a file of that name already.' },
  assertion_refused: {
    status: 409,
    message: 'An imported or analysed draft cannot be asserted so.',
  },
  reassociation_source_not_found: { status: 404, message: 'The old draft carries no analysis.' },
  reassociation_source_revision_unknown: {
    status: 409,
    message: 'No revision of the old draft was ever recorded.',
  },
  reassociation_target_conflict: {
    status: 409,
    message: 'The new draft is registered with another kind or other capabilities.',
  },
} as const satisfies ErrorTable;

/** Import, analyses, gaps (studio.md 8, importers.md 1). */
const ANALYSIS = {
  raw_required: { status: 422, message: 'Send the text of the file as `raw`.' },
  source_too_large: { status: 413, message: 'The source is larger than 1 MiB.' },
  source_too_complex: { status: 413, message: 'The source has too many elements or credentials.' },
  source_unparseable: { status: 422, message: 'The source cannot be read.' },
  source_unknown: { status: 404, message: 'There is no importer of that name.' },
  source_credential_in_generated_content: {
    status: 422,
    message:
      'A credential of the source would appear in the draft. Remove it from the source first.',
  },
  importer_graph_invalid: { status: 500, message: 'The importer made an invalid graph.' },
  analysis_cards_invalid: { status: 500, message: 'The importer made an invalid analysis.' },
  draft_write_failed: {
    status: 500,
    message: 'The draft could not be written. Nothing was imported.',
  },
  idempotency_key_blank: { status: 422, message: 'The Idempotency-Key is blank.' },
  idempotency_key_too_long: {
    status: 422,
    message: 'The Idempotency-Key is longer than 128 characters.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used for another import.',
  },
  alias_required: { status: 422, message: 'Name the environment alias.' },
  unknown_alias: { status: 422, message: 'The project has no environment of that alias.' },
  analysis_taint_full: { status: 409, message: 'No room for another live analysis.' },
  analysis_taint_retention_full: { status: 409, message: 'No room for another kept analysis.' },
  analysis_too_large: { status: 413, message: 'The analysis of this source is larger than 8 MiB.' },
  analysis_keys_unavailable: {
    status: 503,
    message: 'The keys of the analyses are not available.',
  },
  analysis_not_found: { status: 404, message: 'There is no such analysis.' },
  analysis_quarantined: {
    status: 409,
    message: 'The analysis is damaged. Import the source again.',
  },
  analysis_payload_reclaimed: { status: 410, message: 'The detail of this analysis was dropped.' },
  analysis_not_for_ref: { status: 409, message: 'The analysis does not belong to that draft.' },
  gap_unknown: { status: 409, message: 'The analysis has no such gap of that severity.' },
  analysis_stale: { status: 409, message: 'The artifact does not carry that analysis.' },
  resolution_requires_an_edit: {
    status: 409,
    message: 'The draft is as it was imported. Edit it before you attest the gap.',
  },
  nothing_to_retract: { status: 409, message: 'Nothing was attested at that revision.' },
} as const satisfies ErrorTable;

/** Artifacts, snapshots, governance (studio.md 7, 9). */
const ARTIFACT = {
  component_wrong_kind: { status: 422, message: 'A base is a spec, an overlay is an overlay.' },
  artifact_not_found: { status: 404, message: 'There is no such artifact.' },
  artifact_deleted: { status: 410, message: 'The artifact was deleted.' },
  artifact_not_ready: { status: 409, message: 'The artifact is not ready to be handed off.' },
  artifact_not_portable: {
    status: 409,
    message: 'The artifact depends on things that do not travel.',
  },
  trust_unavailable: {
    status: 409,
    message: 'Code of a project runs on the own platform of this computer only.',
  },
  trust_given_at_start: {
    status: 409,
    message: 'The folder was trusted with --trust. Start without it to take that back.',
  },
  draft_not_runnable: {
    status: 409,
    message: 'The text cannot run as it stands. Its findings say what to change.',
  },
  artifact_governance_failed: { status: 409, message: 'A governance stage refused the artifact.' },
  spec_capability_refused: {
    status: 409,
    message: 'The spec asks for something that its environment does not allow.',
  },
  spec_too_large: { status: 413, message: 'The composed spec is larger than the binding takes.' },
  spec_too_complex: { status: 413, message: 'The composed spec is too large or too deep to scan.' },
  component_stale: { status: 409, message: 'A component changed since the artifact was made.' },
  component_missing: { status: 409, message: 'A component of the artifact is gone.' },
  overrides_unavailable: { status: 409, message: 'The overrides of the artifact are gone.' },
  snapshot_unavailable: { status: 409, message: 'A component cannot be read.' },
  snapshot_corrupt: { status: 409, message: 'The stored snapshot is damaged.' },
  snapshot_materializing: {
    status: 409,
    message: 'The snapshot is being written.',
    retryable: true,
  },
  snapshot_contention: {
    status: 409,
    message: 'Too many writers want this snapshot.',
    retryable: true,
  },
  quota_exceeded: { status: 409, message: 'No storage is left for this artifact.' },
} as const satisfies ErrorTable;

/** Bindings, test runs, platform (studio.md 3.2, 12, 13). */
const PLATFORM = {
  environment_unavailable: { status: 409, message: 'The profile of this alias is missing or bad.' },
  environment_changed: { status: 409, message: 'The alias names another platform now. Rotate it.' },
  test_run_not_found: { status: 404, message: 'There is no such test run.' },
  test_run_not_on_platform: { status: 409, message: 'The run never started on the platform.' },
  test_run_target_unavailable: {
    status: 409,
    message: 'The platform of this run is bound no longer.',
  },
  test_run_state_corrupt: { status: 500, message: 'The record of the run contradicts itself.' },
  test_run_dispatch_conflict: { status: 500, message: 'The run changed while it was sent.' },
  test_run_finalization_conflict: {
    status: 500,
    message: 'Another finalizer wrote another run id.',
  },
  platform_version_unknown: { status: 502, message: 'The platform names no version.' },
  platform_version_unsupported: { status: 409, message: 'The platform is older than 1.2.0.' },
  invalid_trace_window: { status: 422, message: 'Offset is 0 to 10000, limit 1 to 500.' },
  invalid_checkpoint_window: { status: 422, message: 'Offset is 0 to 10000, limit 1 to 500.' },
  platform_forbidden: { status: 403, message: 'The platform does not allow that.' },
  spec_invalid: { status: 400, message: 'The platform refused the spec.' },
  platform_auth_failed: { status: 502, message: 'The platform does not accept our credential.' },
  platform_rate_limited: {
    status: 429,
    message: 'The platform asks to slow down.',
    retryable: true,
  },
  platform_conflict: { status: 409, message: 'The platform reports a conflict.' },
  platform_unavailable: { status: 503, message: 'The platform is not ready.', retryable: true },
  platform_error: { status: 502, message: 'The platform failed.' },
  platform_protocol_error: {
    status: 502,
    message: 'The platform’s answer is not of the agreed form.',
  },
  platform_unreachable: {
    status: 502,
    message: 'The platform cannot be reached.',
    retryable: true,
  },
} as const satisfies ErrorTable;

/**
 * Every code that the studio makes (studio.md 3). Codes that a platform answered are forwarded
 * as they came (3.2) and need no row.
 */
export const STUDIO_ERRORS = {
  ...GENERAL,
  ...IDENTITY,
  ...TREE,
  ...ANALYSIS,
  ...ARTIFACT,
  ...PLATFORM,
} as const satisfies ErrorTable;

export type StudioErrorCode = keyof typeof STUDIO_ERRORS;

/** Makes a refusal of the studio. */
export const refuse = refusalsOf(STUDIO_ERRORS);
