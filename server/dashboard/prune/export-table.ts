import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { canonicalJson } from '../../kernel/canonical-json.ts';

/** Tables that grow without end, and that a prune may shorten. */
export const PRUNED_TABLES = ['audit_log', 'launches'] as const;
/** A table that may be pruned. */
export type PrunedTable = (typeof PRUNED_TABLES)[number];

type Row = Readonly<Record<string, string | number | null>>;

/** A table's export that is whole on the disk. */
export interface TableExport {
  readonly table: PrunedTable;
  readonly file: string;
  readonly sha256: string;
  /** Of the rows that are in the file, oldest first. */
  readonly ids: readonly string[];
}

export interface ExportInput {
  readonly sqlite: BetterSqlite3.Database;
  readonly schemaVersion: number;
  readonly cutoff: string;
  readonly folder: string;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly stamp: string;
}

const PRIVATE = 0o600;

/** How many rows of a table a prune would take. */
export function countRows(
  sqlite: BetterSqlite3.Database,
  table: PrunedTable,
  cutoff: string,
): number {
  const counted = sqlite
    .prepare<[string], { n: number }>(`SELECT count(*) AS n FROM ${table} WHERE created_at < ?`)
    .get(cutoff);
  return counted?.n ?? 0;
}

function writeRows(input: ExportInput, table: PrunedTable, write: (line: string) => void) {
  const { sqlite, cutoff, schemaVersion } = input;
  const read = sqlite.transaction((): string[] => {
    const header = {
      _schema: 'dash-prune-export/1',
      cutoff,
      rows: countRows(sqlite, table, cutoff),
      store_schema_version: schemaVersion,
      table,
    };
    write(canonicalJson(header));
    const ids: string[] = [];
    const rows = sqlite
      .prepare<[string], Row>(`SELECT * FROM ${table} WHERE created_at < ? ORDER BY created_at, id`)
      .iterate(cutoff);
    for (const row of rows) {
      write(canonicalJson(row));
      ids.push(String(row['id']));
    }
    return ids;
  });
  return read();
}

/**
 * Writes the rows of a table that are older than the cutoff as JSON lines, with a checksum file
 * beside them (contract/dashboard.md 16). A file that cannot be finished is removed.
 */
export function exportTable(input: ExportInput, table: PrunedTable): TableExport {
  const name = `${table}-pruned-${input.stamp}.jsonl`;
  const file = path.join(input.folder, name);
  const hash = createHash('sha256');
  const descriptor = openSync(file, 'wx', PRIVATE);
  try {
    const ids = writeRows(input, table, (line) => {
      hash.update(`${line}\n`);
      writeSync(descriptor, `${line}\n`);
    });
    fsyncSync(descriptor);
    const sha256 = hash.digest('hex');
    writeFileSync(`${file}.sha256`, `${sha256}  ${name}\n`, {
      flag: 'wx',
      mode: PRIVATE,
      flush: true,
    });
    return { table, file, sha256, ids };
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
