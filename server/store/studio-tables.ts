import type { Generated } from 'kysely';

/** Rows of the studio's store. Times are text in the one form; lists and objects are JSON text. */
export interface StudioTables {
  principal: PrincipalRow;
  project: ProjectRow;
  project_member: ProjectMemberRow;
  audit: AuditTable;
  project_environment: ProjectEnvironmentRow;
  project_exposure: ProjectExposureRow;
  draft_manifest: DraftManifestRow;
  not_applicable_assertion: NotApplicableAssertionRow;
  tree_operation: TreeOperationRow;
  kept_text: KeptTextRow;
  trash_entry: TrashEntryRow;
  draft_version: DraftVersionTable;
  import_key: ImportKeyRow;
  analysis: AnalysisRow;
  analysis_ledger: AnalysisLedgerRow;
  analysis_estate: AnalysisEstateRow;
  analysis_cap: AnalysisCapRow;
  manifest_analysis: ManifestAnalysisRow;
  gap_resolution: GapResolutionRow;
  repair: RepairRow;
  snapshot: SnapshotRow;
  authored_artifact: AuthoredArtifactRow;
  artifact_component: ArtifactComponentRow;
  artifact_component_analysis: ArtifactComponentAnalysisRow;
  artifact_attestation: ArtifactAttestationRow;
  artifact_unresolved_gap: ArtifactUnresolvedGapRow;
  gap_acknowledgement: GapAcknowledgementRow;
  test_run: TestRunRow;
  draft_run: DraftRunRow;
  invitation: InvitationRow;
  quota_transfer: QuotaTransferRow;
  session: SessionRow;
  bootstrap_claim: BootstrapClaimRow;
  oidc_attempt: OidcAttemptRow;
}

export interface PrincipalRow {
  id: string;
  kind: 'local_owner' | 'static' | 'oidc' | 'operator';
  issuer: string;
  subject: string;
  display_name: string;
  state: 'pending' | 'active' | 'disabled';
  created_at: string;
}

export interface SessionRow {
  /** SHA-256 of the cookie's value. */
  token_hash: string;
  principal_id: string;
  created_at: string;
  expires_at: string;
}

export interface BootstrapClaimRow {
  id: string;
  token_hash: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

export interface OidcAttemptRow {
  state_hash: string;
  binding_hash: string;
  state: string;
  nonce: string;
  verifier: string;
  return_to: string;
  expires_at: string;
}

export interface ProjectRow {
  id: string;
  name: string;
  root: string;
  storage_kind: 'managed' | 'attached';
  quota_principal_id: string;
  created_at: string;
}

export interface ProjectMemberRow {
  project_id: string;
  principal_id: string;
  role: 'owner' | 'editor' | 'viewer';
  created_at: string;
}

export interface AuditRow {
  id: number;
  at: string;
  action: string;
  principal_id: string;
  project_id: string | null;
  outcome: 'allowed' | 'denied' | 'held';
  run_id: string | null;
  detail: string;
}

interface AuditTable extends Omit<AuditRow, 'id'> {
  id: Generated<number>;
}

export interface ProjectEnvironmentRow {
  project_id: string;
  alias: string;
  generation: number;
  profile_name: string;
  platform_environment: string;
  transport: 'remote' | 'shared_filesystem';
  serv_root: string | null;
  registry_snapshot: string;
  capability_policy: 'strict' | 'local';
  secret_ref_namespace: string | null;
  host_allowlist: string;
  platform_egress: 'unenforced' | 'enforced';
  max_inline_spec_bytes: number;
  endpoint_fingerprint: string | null;
  retired_at: string | null;
  created_at: string;
  made_by: 'template' | 'person';
}

export interface ProjectExposureRow {
  project_id: string;
  root_identity: string;
  exposure_digest: string;
  principal_id: string;
  confirmed_at: string;
  /** JSON list of refs; null when it was confirmed before they were remembered. */
  privileged_entries: string | null;
}

export interface DraftManifestRow {
  project_id: string;
  ref: string;
  kind: 'spec' | 'overlay' | 'skill_source';
  capabilities: 'read' | 'read_write';
  origin: 'authored' | 'import';
  registered_at: string;
  registered_by: string;
  last_known_revision: string | null;
}

export interface NotApplicableAssertionRow {
  project_id: string;
  ref: string;
  revision: string;
  principal_id: string;
  asserted_at: string;
}

export interface TreeOperationRow {
  id: string;
  project_id: string;
  ref: string;
  content_sha256: string;
  started_at: string;
}

export interface KeptTextRow {
  project_id: string;
  revision: string;
  /** Bytes before packing. */
  size: number;
  packed: Buffer;
}

export interface TrashEntryRow {
  id: string;
  project_id: string;
  ref: string;
  revision: string;
  /** Permission bits of the file. */
  mode: number;
  kind: DraftManifestRow['kind'];
  capabilities: DraftManifestRow['capabilities'];
  origin: DraftManifestRow['origin'];
  deleted_at: string;
  deleted_by: string;
}

export interface DraftVersionRow {
  id: number;
  project_id: string;
  ref: string;
  revision: string;
  cause: 'found' | 'save' | 'merge' | 'restore';
  saved_at: string;
  /** Of the packed text. */
  bytes: number;
  /** Null for bytes that somebody else wrote. */
  saved_by: string | null;
  name: string | null;
}

interface DraftVersionTable extends Omit<DraftVersionRow, 'id'> {
  id: Generated<number>;
}

export interface ImportKeyRow {
  project_id: string;
  key: string;
  request_digest: string;
  created_at: string;
}

export interface AnalysisCapRow {
  project_id: string;
  project_cap: number;
  principal_cap: number;
  retained_max: number;
}

export interface AnalysisRow {
  id: string;
  project_id: string;
  source: string;
  source_sha256: string;
  importer: string;
  importer_version: string;
  analyzer_version: string;
  output_sha256: string;
  repair_generation: number;
  state: 'active' | 'quarantined';
  superseded_by: string | null;
  blocking_gap_ids: string;
  manual_gap_ids: string;
  /** Sealed; null once the detail was reclaimed. */
  payload: string | null;
  created_at: string;
  created_by: string;
}

export interface AnalysisLedgerRow {
  analysis_id: string;
  /** Sealed; null when the ledger was too large to be kept. */
  payload: string | null;
}

export interface AnalysisEstateRow {
  analysis_id: string;
  /** Sealed. */
  payload: string;
}

export interface ManifestAnalysisRow {
  project_id: string;
  ref: string;
  analysis_id: string;
  linked_at: string;
}

export interface RepairRow {
  project_id: string;
  id: string;
  cause: string;
  /** Sealed JSON: edit, values, workflows. */
  payload: string;
  made_at: string;
  made_by: string;
}

export interface GapResolutionRow {
  analysis_id: string;
  gap_id: string;
  revision: string;
  seq: number;
  event: 'attest' | 'retract';
  principal_id: string;
  at: string;
}

export interface SnapshotRow {
  project_id: string;
  content_hash: string;
  state: 'materializing' | 'published' | 'orphaned';
  components: string;
  bytes: number;
  created_at: string;
}

export interface AuthoredArtifactRow {
  id: string;
  project_id: string;
  alias: string;
  alias_generation: number;
  overrides_sha256: string;
  revision: string;
  snapshot_hash: string;
  source_analysis_state: 'unknown' | 'not_applicable' | 'clear' | 'blocked' | 'stale' | 'attested';
  created_at: string;
  created_by: string;
  deleted_at: string | null;
}

export interface ArtifactComponentRow {
  artifact_id: string;
  position: number;
  role: 'base' | 'overlay';
  ref: string;
  revision: string;
}

export interface ArtifactComponentAnalysisRow {
  artifact_id: string;
  position: number;
  analysis_id: string;
}

export interface ArtifactAttestationRow {
  artifact_id: string;
  analysis_id: string;
  gap_id: string;
  revision: string;
}

export interface ArtifactUnresolvedGapRow {
  artifact_id: string;
  analysis_id: string;
  gap_id: string;
}

export interface GapAcknowledgementRow {
  artifact_id: string;
  analysis_id: string;
  gap_id: string;
  principal_id: string;
  at: string;
}

export interface TestRunRow {
  id: string;
  project_id: string;
  artifact_id: string;
  status: 'pending' | 'started' | 'failed_to_start' | 'abandoned' | 'unknown';
  phase: 'pre_connect' | 'sent' | 'done';
  alias: string;
  alias_generation: number;
  profile_name: string;
  platform_environment: string;
  platform_session_id: string;
  idempotency_key: string;
  request_sha256: string;
  platform_run_id: string | null;
  cancel_requested_at: string | null;
  recovery_attempts: number;
  lease_until: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface DraftRunRow {
  id: string;
  project_id: string;
  draft_ref: string;
  draft_revision: string;
  text_sha256: string;
  alias: string;
  alias_generation: number;
  platform_session_id: string;
  platform_run_id: string | null;
  created_by: string;
  created_at: string;
}

export interface InvitationRow {
  id: string;
  project_id: string;
  role: 'owner' | 'editor' | 'viewer';
  selector_kind: 'subject' | 'verified_email' | 'static_username';
  selector_value: string;
  issuer: string;
  state: 'pending' | 'consumed' | 'revoked' | 'expired';
  held_reason: string | null;
  created_by: string;
  created_at: string;
  expires_at: string;
}

export interface QuotaTransferRow {
  id: string;
  project_id: string;
  from_principal: string;
  to_principal: string;
  state: 'proposed' | 'accepted' | 'declined' | 'expired';
  proposed_at: string;
  expires_at: string;
}
