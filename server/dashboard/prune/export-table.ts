import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { makeFileSync } from '../../files/durable-write.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { type PrunedTable, readRows } from './prune-repository.ts';

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

function writeRows(input: ExportInput, table: PrunedTable, write: (line: string) => void) {
  const { sqlite, cutoff, schemaVersion } = input;
  const ids: string[] = [];
  readRows(sqlite, table, cutoff, {
    begin: (rows) => {
      const _schema = 'dash-prune-export/1';
      write(canonicalJson({ _schema, cutoff, rows, store_schema_version: schemaVersion, table }));
    },
    row: (row) => {
      write(canonicalJson(row));
      ids.push(String(row['id']));
    },
  });
  return ids;
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
    makeFileSync(`${file}.sha256`, `${sha256}  ${name}\n`, PRIVATE);
    return { table, file, sha256, ids };
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
