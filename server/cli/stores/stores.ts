import { findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { lockDataFolder } from '../../host/instance-lock.ts';
import { makeBackup, restoreBackup } from '../../host/store-backup.ts';
import {
  findEarlierVersion,
  goBack,
  removeCopies,
  reportStores,
  type StoresDeps,
} from '../../host/store-copies.ts';
import { printJson, printLine, printNote } from '../output.ts';
import { printTable } from '../table.ts';

export interface StoresOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly to?: string;
}

/** How long services that are ending may still have the folder, in milliseconds. */
const WAIT = 3_000;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function depsOf({ data }: StoresOptions): StoresDeps {
  const folder = chooseDataFolder(data, process.env);
  prepareDataFolder(folder);
  const { version } = findAppFiles();
  return { folder, env: process.env, version, now: () => Date.now() };
}

/** Does something with the stores while no service has them. @throws HostRefusal data_in_use */
function alone<T>(deps: StoresDeps, work: () => T): T {
  const lock = lockDataFolder(deps.folder, WAIT);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** `stores list`. */
export function list(options: StoresOptions): number {
  const deps = depsOf(options);
  const stores = reportStores(deps);
  const earlier = findEarlierVersion(deps);
  if (options.json) {
    printJson({ stores, earlier: earlier ?? null });
    return 0;
  }
  const rows = stores.flatMap(({ name, file, bytes, copies }) => [
    { name, kind: 'in use', bytes, file, made_at: '' },
    ...copies.map((copy) => ({
      ...copy,
      name,
      kind: copy.kind === 'before' ? 'before an update' : 'newer, put aside',
    })),
  ]);
  if (rows.length === 0) printLine('There are no stores here yet.');
  else {
    printTable(rows, [
      { head: 'STORE', show: ({ name }) => name },
      { head: 'WHAT', show: ({ kind }) => kind },
      { head: 'SIZE', show: ({ bytes }) => megabytes(bytes) },
      { head: 'MADE', show: ({ made_at }) => made_at.slice(0, 19) },
    ]);
    // Whole: a cell would cut it.
    for (const { file } of rows) printLine(file);
  }
  if (earlier !== undefined) {
    printNote(`"specwright stores back" puts the stores back to version ${earlier.version}.`);
  }
  return 0;
}

/** `stores backup`; services may run meanwhile. @throws HostRefusal */
export async function backup(options: StoresOptions & { readonly to: string }): Promise<number> {
  const made = await makeBackup(depsOf(options), options.to);
  if (options.json) {
    printJson(made);
    return 0;
  }
  for (const { name, bytes } of made.stores) printLine(`✓ ${name}: ${megabytes(bytes)}, checked`);
  printLine(`✓ ${made.files} files beside them; ${megabytes(made.bytes)} in all`);
  printLine(`The backup is a data folder: "specwright serve --data ${made.folder}" opens it.`);
  printNote(
    'It holds the keys of stored secrets, so keep it as closed as the data folder. Folders of projects that stand elsewhere are not in it.',
  );
  for (const name of made.external) {
    printNote(`The state of the ${name} is in a database of its own: back that up too (pg_dump).`);
  }
  return 0;
}

/** `stores restore`: a data folder out of a backup. @throws HostRefusal, StoreError */
export async function restore(options: StoresOptions & { readonly from: string }): Promise<number> {
  const folder = chooseDataFolder(options.data, process.env);
  const made = await restoreBackup(options.from, folder, findAppFiles().migrations);
  if (options.json) {
    printJson(made);
    return 0;
  }
  for (const { name, bytes } of made.stores) printLine(`✓ ${name}: ${megabytes(bytes)}, checked`);
  printLine(`✓ ${made.files} files beside them; ${megabytes(made.bytes)} in all`);
  printLine(`"specwright serve --data ${made.folder}" opens it.`);
  return 0;
}

/** `stores back`. @throws HostRefusal, StoreError */
export function back(options: StoresOptions): number {
  const deps = depsOf(options);
  const done = alone(deps, () => goBack(deps, options.to));
  if (options.json) {
    printJson(done);
    return 0;
  }
  for (const { name, made_at, kept } of done.stores) {
    printLine(`✓ ${name}: as it was on ${made_at.slice(0, 19)}`);
    if (kept !== null) printLine(`  the newer one is kept: ${kept}`);
  }
  printLine(`The stores are those of version ${done.version}: start that version now.`);
  if (done.locked) {
    printNote(
      'Who may do what in the dashboard changed since the copy: it is locked until "specwright dashboard recover --reconcile".',
    );
  }
  return 0;
}

/** `stores remove`; no service has a copy open. @throws HostRefusal */
export function remove(options: StoresOptions): number {
  const freed = removeCopies(depsOf(options));
  if (options.json) printJson({ freed_bytes: freed });
  else printLine(`✓ the copies are removed: ${megabytes(freed)} freed`);
  return 0;
}
