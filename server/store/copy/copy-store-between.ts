import { StoreError } from '../store-error.ts';
import type { CopiedTable, Reading, StoredRow, StoredValue } from './copied-table.ts';
import { type CopySource, type CopyTarget, SOURCE_NOTE } from './copy-side.ts';
import { planCopy } from './plan-copy.ts';
import { DigestOfRows, type RowsDigest } from './rows-digest.ts';

/** A table that was copied, and what both databases now hold of it. */
export interface TableReport extends RowsDigest {
  readonly table: string;
}

export interface CopyOptions {
  /** Tells sources apart; holds no password. */
  readonly source: string;
  /** Is told how many rows of a table are there now. */
  onProgress?(table: string, rows: number): void;
}

interface Progress {
  readonly rows: number;
  readonly isWhole: boolean;
  readonly position: StoredRow;
}

const START: Progress = { rows: 0, isWhole: false, position: [] };

function progressText({ rows, isWhole, position }: Progress): string {
  return JSON.stringify({ rows, isWhole, position: position.map(String) });
}

/** @throws TypeError for a note that this program did not write */
function readProgress(text: string | undefined, order: Reading['order']): Progress {
  if (text === undefined) return START;
  const { rows, isWhole, position } = JSON.parse(text) as {
    rows: number;
    isWhole: boolean;
    position: string[];
  };
  const value = (given: string, index: number): StoredValue =>
    order[index]?.kind === 'integer' ? BigInt(given) : given;
  return { rows, isWhole, position: position.map(value) };
}

async function digestOf(side: CopySource, reading: Reading): Promise<RowsDigest> {
  const digest = new DigestOfRows();
  for await (const { rows } of side.read(reading)) for (const row of rows) digest.add(row);
  return digest.result;
}

async function requireEmpty(target: CopyTarget, tables: readonly CopiedTable[]): Promise<void> {
  for (const table of tables) {
    for await (const { rows } of target.read(table.target)) {
      if (rows.length === 0) continue;
      throw new StoreError(
        'copy_refused',
        `The target holds rows already (${table.name}). Name an empty one: nothing was written.`,
      );
    }
  }
}

/** Begins a copy, or finds the one that an earlier process left. */
async function enter(
  target: CopyTarget,
  tables: readonly CopiedTable[],
  source: string,
): Promise<void> {
  const known = await target.note(SOURCE_NOTE);
  if (known === source) return;
  if (known !== undefined) {
    throw new StoreError(
      'copy_refused',
      'The target holds half a copy from another source. Name that source, or an empty target.',
    );
  }
  await requireEmpty(target, tables);
  await target.begin(source);
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: CopiedTable,
  tell: (rows: number) => void,
): Promise<void> {
  const name = `table ${table.name}`;
  let done = readProgress(await target.note(name), table.source.order);
  if (done.isWhole) return;
  const after = done.position.length === 0 ? undefined : done.position;
  for await (const { rows, position } of source.read(table.source, after)) {
    done = { rows: done.rows + rows.length, isWhole: false, position };
    await target.write(table, rows, { name, text: progressText(done) });
    tell(done.rows);
  }
  await target.write(table, [], { name, text: progressText({ ...done, isWhole: true }) });
}

/** @throws StoreError `copy_differs` */
async function compare(
  source: CopySource,
  target: CopyTarget,
  table: CopiedTable,
): Promise<TableReport> {
  const [given, made] = [
    await digestOf(source, table.source),
    await digestOf(target, table.target),
  ];
  if (given.rows === made.rows && given.checksum === made.checksum) {
    return { table: table.name, ...given };
  }
  throw new StoreError(
    'copy_differs',
    `The copy of ${table.name} is not what the source holds (${made.rows} of ${given.rows} rows): the ` +
      'source was changed since the copy began. Stop its service, empty the target, and copy again.',
  );
}

/**
 * Copies a store from one database to another, which may be of the other kind; both have the same
 * migrations. A copy that was stopped goes on where it was. In the end counts and checksums of each
 * table are compared.
 * @throws StoreError `copy_refused` (nothing was written), `copy_differs`
 */
export async function copyStoreBetween(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions,
): Promise<TableReport[]> {
  const tables = planCopy(source.relations, target.relations);
  await enter(target, tables, options.source);
  for (const table of tables) {
    await copyTable(source, target, table, (rows) => options.onProgress?.(table.name, rows));
  }
  const reports: TableReport[] = [];
  for (const table of tables) reports.push(await compare(source, target, table));
  await target.finish(await source.counters());
  return reports;
}
