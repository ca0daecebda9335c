import { type ErrorTable, refusalsOf, row } from '../../kernel/refusal.ts';

/** Refusals that any route may answer (studio.md 1.2, 2, 4.4). */
const GENERAL = {
  request_invalid: row(422, 'The request does not have the expected shape.'),
  request_too_large: row(413, 'The request body is larger than this service takes.'),
  not_found: row(404, 'unknown endpoint'),
  method_not_allowed: row(405, 'This path does not answer that method.'),
  internal_error: row(500, 'Something went wrong inside the studio.'),
  not_implemented: row(501, 'This operation is not built yet.'),
  spa_not_built: row(503, 'The user interface has not been built.'),
  store_unavailable: row(
    503,
    'The studio’s database takes no change right now: it is busy, or its disk is full. Try again in a moment.',
    {
      retryable: true,
      retryAfter: 1,
    },
  ),
  unauthenticated_bind: row(403, 'Without sign-in the studio answers on a loopback address only.'),
  unauthenticated_proxy: row(403, 'Without sign-in the studio does not answer forwarded requests.'),
  deployment_cap_required: row(
    403,
    'A shared studio needs a declared storage cap before it serves remote clients.',
  ),
  host_not_allowed: row(403, 'The Host header names a host that is not allowed.'),
  cross_origin_refused: row(403, 'A page of another origin may not change anything here.'),
} satisfies ErrorTable;

/** Sign-in, membership, projects (studio.md 4, 5, 6.1, 6.8, 14). */
const IDENTITY = {
  unauthenticated: row(401, 'Sign in first.'),
  forbidden: row(403, 'Your role in this project does not allow that.'),
  login_unavailable: row(404, 'This sign-in mode has no login.'),
  no_active_principal: row(503, 'The local owner of this studio is disabled.'),
  invalid_credentials: row(401, 'The user name or the password is wrong.'),
  not_admitted: row(403, 'This account is not admitted yet. Ask the operator.'),
  bootstrap_consumed: row(409, 'This claim cannot be used (any more).'),
  too_many_failed_attempts: row(429, 'Too many failed sign-ins.', { retryAfter: 60 }),
  identity_provider_unreachable: row(
    503,
    'The identity provider that vouches for you does not answer. Try again in a moment.',
    { retryable: true, retryAfter: 5 },
  ),
  login_capacity_exhausted: row(503, 'Sign-in is busy.', { retryAfter: 1 }),
  too_many_login_starts: row(429, 'Too many sign-ins were started.', { retryAfter: 60 }),
  too_many_login_attempts: row(503, 'Too many sign-ins are open.', { retryAfter: 600 }),
  untrusted_forwarding: row(403, 'Forwarding headers came from an unknown peer.'),
  project_not_found: row(404, 'There is no such project.'),
  project_creation_disabled: row(409, 'This studio has no place for new projects.'),
  project_limit_reached: row(409, 'You have as many projects as allowed.'),
  project_root_overlap: row(409, 'The folder overlaps that of another project.'),
  project_unbound: row(409, 'The project is not bound to a platform under that alias.'),
  member_not_found: row(404, 'There is no such member.'),
  invitation_not_found: row(404, 'There is no such invitation.'),
  last_owner: row(409, 'A project keeps at least one active owner.'),
  quota_principal_membership: row(
    409,
    'The member who carries the storage charge cannot be removed.',
  ),
  unknown_selector: row(422, 'This kind of selector is unknown.'),
  selector_not_addressable: row(400, 'Nobody can be addressed by that value.'),
  selector_unavailable: row(409, 'This studio has no provider for that selector.'),
  too_many_invitations: row(429, 'Too many invitations in the last hour.'),
  transfer_to_self: row(409, 'The charge is yours already.'),
  target_not_a_member: row(409, 'The person is no active member.'),
  target_cannot_answer: row(409, 'The person cannot answer.'),
  transfer_already_proposed: row(409, 'A transfer is open already.'),
  no_such_transfer: row(409, 'There is no open transfer of that id.'),
  not_the_quota_principal: row(409, 'Only who carries the charge can offer it.'),
  not_the_transfer_target: row(409, 'Only the person asked can answer.'),
  transfer_busy: row(409, 'A write is under way. Try again.'),
  target_quota_exceeded: row(409, 'The person has no room for this charge.'),
} satisfies ErrorTable;

/** Trees, drafts, exposure (studio.md 6). */
const TREE = {
  exposure_unconfirmed: row(
    409,
    'The project folder was replaced. An owner must look at it and confirm its exposure.',
  ),
  project_root_unavailable: row(409, 'The project folder cannot be opened.'),
  exposure_stale: row(409, 'The exposure changed since you read it.'),
  exposure_changed: row(409, 'The exposure changed since you read it.'),
  exposure_confirmation_required: row(409, 'Confirm what this project exposes before sharing it.'),
  draft_not_found: row(404, 'There is no such draft.'),
  draft_stale: row(409, 'The file changed since you read it.'),
  draft_read_only: row(403, 'This draft is registered for reading only.'),
  draft_exists: row(409, 'There is a file of that name already.'),
  git_unavailable: row(409, 'Git does not answer for the project folder.'),
  version_not_found: row(404, 'There is no such version (any more).'),
  version_names_full: row(409, 'A hundred versions have names. Take one away first.'),
  trash_entry_not_found: row(404, 'It is not in the trash (any more).'),
  assertion_refused: row(409, 'An imported or analysed draft cannot be asserted so.'),
  reassociation_source_not_found: row(404, 'The old draft carries no analysis.'),
  reassociation_source_revision_unknown: row(
    409,
    'No revision of the old draft was ever recorded.',
  ),
  reassociation_target_conflict: row(
    409,
    'The new draft is registered with another kind or other capabilities.',
  ),
} satisfies ErrorTable;

/** Import, analyses, gaps (studio.md 8, importers.md 1). */
const ANALYSIS = {
  raw_required: row(422, 'Send the text of the file as `raw`.'),
  source_too_large: row(413, 'The source is larger than 1 MiB.'),
  source_too_complex: row(413, 'The source has too many elements or credentials.'),
  source_unparseable: row(422, 'The source cannot be read.'),
  source_unknown: row(404, 'There is no importer of that name.'),
  source_credential_in_generated_content: row(
    422,
    'A credential of the source would appear in the draft. Remove it from the source first.',
  ),
  importer_graph_invalid: row(500, 'The importer made an invalid graph.'),
  analysis_cards_invalid: row(500, 'The importer made an invalid analysis.'),
  draft_write_failed: row(500, 'The draft could not be written. Nothing was imported.'),
  idempotency_key_blank: row(422, 'The Idempotency-Key is blank.'),
  idempotency_key_too_long: row(422, 'The Idempotency-Key is longer than 128 characters.'),
  idempotency_key_reused: row(409, 'This Idempotency-Key was used for another import.'),
  alias_required: row(422, 'Name the environment alias.'),
  unknown_alias: row(422, 'The project has no environment of that alias.'),
  analysis_taint_full: row(409, 'No room for another live analysis.'),
  analysis_taint_retention_full: row(409, 'No room for another kept analysis.'),
  analysis_too_large: row(413, 'The analysis of this source is larger than 8 MiB.'),
  analysis_keys_unavailable: row(503, 'The keys of the analyses are not available.'),
  analysis_not_found: row(404, 'There is no such analysis.'),
  analysis_quarantined: row(409, 'The analysis is damaged. Import the source again.'),
  analysis_payload_reclaimed: row(410, 'The detail of this analysis was dropped.'),
  analysis_not_for_ref: row(409, 'The analysis does not belong to that draft.'),
  gap_unknown: row(409, 'The analysis has no such gap of that severity.'),
  analysis_stale: row(409, 'The artifact does not carry that analysis.'),
  resolution_requires_an_edit: row(
    409,
    'The draft is as it was imported. Edit it before you attest the gap.',
  ),
  nothing_to_retract: row(409, 'Nothing was attested at that revision.'),
} satisfies ErrorTable;

/** Artifacts, snapshots, governance (studio.md 7, 9). */
const ARTIFACT = {
  component_wrong_kind: row(422, 'A base is a spec, an overlay is an overlay.'),
  artifact_not_found: row(404, 'There is no such artifact.'),
  artifact_deleted: row(410, 'The artifact was deleted.'),
  artifact_not_ready: row(409, 'The artifact is not ready to be handed off.'),
  bundle_refused: row(422, 'The bundle cannot be used.'),
  artifact_not_portable: row(409, 'The artifact depends on things that do not travel.'),
  trust_unavailable: row(409, 'Code of a project runs on the own platform of this computer only.'),
  trust_given_at_start: row(
    409,
    'The folder was trusted with --trust. Start without it to take that back.',
  ),
  draft_not_runnable: row(
    409,
    'The text cannot run as it stands. Its findings say what to change.',
  ),
  artifact_governance_failed: row(409, 'A governance stage refused the artifact.'),
  spec_capability_refused: row(
    409,
    'The spec asks for something that its environment does not allow.',
  ),
  spec_too_large: row(413, 'The composed spec is larger than the binding takes.'),
  spec_too_complex: row(413, 'The composed spec is too large or too deep to scan.'),
  component_stale: row(409, 'A component changed since the artifact was made.'),
  component_missing: row(409, 'A component of the artifact is gone.'),
  overrides_unavailable: row(409, 'The overrides of the artifact are gone.'),
  snapshot_unavailable: row(409, 'A component cannot be read.'),
  snapshot_corrupt: row(409, 'The stored snapshot is damaged.'),
  snapshot_materializing: row(409, 'The snapshot is being written.', { retryable: true }),
  snapshot_contention: row(409, 'Too many writers want this snapshot.', { retryable: true }),
  quota_exceeded: row(409, 'No storage is left for this artifact.'),
} satisfies ErrorTable;

/** Bindings, test runs, platform (studio.md 3.2, 12, 13). */
const PLATFORM = {
  environment_unavailable: row(409, 'The profile of this alias is missing or bad.'),
  environment_changed: row(409, 'The alias names another platform now. Rotate it.'),
  bound_by_operator: row(
    409,
    'Where people sign in, who runs the studio binds its platforms (specwright studio env).',
  ),
  generation_not_found: row(404, 'The alias has no live generation of that number.'),
  last_live_binding: row(409, 'The last live binding of a project stays. Bind another one first.'),
  registry_not_told: row(409, 'The platform does not say what its registry offers.'),
  test_run_not_found: row(404, 'There is no such test run.'),
  test_run_not_on_platform: row(409, 'The run never started on the platform.'),
  test_run_target_unavailable: row(409, 'The platform of this run is bound no longer.'),
  test_run_state_corrupt: row(500, 'The record of the run contradicts itself.'),
  test_run_dispatch_conflict: row(500, 'The run changed while it was sent.'),
  test_run_finalization_conflict: row(500, 'Another finalizer wrote another run id.'),
  platform_version_unknown: row(502, 'The platform names no version.'),
  platform_version_unsupported: row(409, 'The platform is older than 1.2.0.'),
  invalid_trace_window: row(422, 'Offset is 0 to 10000, limit 1 to 500.'),
  invalid_checkpoint_window: row(422, 'Offset is 0 to 10000, limit 1 to 500.'),
  platform_forbidden: row(403, 'The platform does not allow that.'),
  spec_invalid: row(400, 'The platform refused the spec.'),
  platform_auth_failed: row(502, 'The platform does not accept our credential.'),
  platform_rate_limited: row(429, 'The platform asks to slow down.', { retryable: true }),
  platform_conflict: row(409, 'The platform reports a conflict.'),
  platform_unavailable: row(503, 'The platform is not ready.', { retryable: true }),
  platform_error: row(502, 'The platform failed.'),
  platform_protocol_error: row(502, 'The platform’s answer is not of the agreed form.'),
  platform_unreachable: row(502, 'The platform cannot be reached.', { retryable: true }),
} satisfies ErrorTable;

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
} satisfies ErrorTable;

export type StudioErrorCode = keyof typeof STUDIO_ERRORS;

/** Makes a refusal of the studio. */
export const refuse = refusalsOf(STUDIO_ERRORS);
