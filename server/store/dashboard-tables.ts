/** Rows of the dashboard's store. Times are text in the one form; lists and objects are JSON text. */
export interface DashboardTables {
  annotations: AnnotationRow;
  saved_filters: SavedFilterRow;
  launches: LaunchRow;
  audit_log: AuditLogRow;
  sessions: SessionRow;
  config: ConfigRow;
  recovery: RecoveryRow;
}

export interface AnnotationRow {
  id: string;
  run_id: string;
  body: string;
  tags: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface SavedFilterRow {
  id: string;
  name: string;
  filters: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface LaunchRow {
  id: string;
  environment: string | null;
  mode: 'path' | 'inline';
  spec_path: string | null;
  digest: string | null;
  label: string;
  run_id: string | null;
  created_by: string;
  created_at: string;
  /** JSON; null where there is nothing to tell. */
  details: string | null;
}

export interface AuditLogRow {
  id: string;
  operator: string;
  action: string;
  environment: string | null;
  target: string | null;
  outcome: 'ok' | 'error' | 'denied';
  created_at: string;
  /** JSON; null where there is nothing to tell. */
  details: string | null;
}

export interface SessionRow {
  id: string;
  operator_identity: string;
  role: string;
  created_at: string;
  expires_at: string;
  last_seen_at: string;
  map_version: number;
}

/** Versioned settings: `connections`, `access`, `pricing`, `preferences`, `meta`. */
export interface ConfigRow {
  namespace: string;
  key: string;
  value: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface RecoveryRow {
  id: number;
  entered_at: string;
  reason: string;
}
