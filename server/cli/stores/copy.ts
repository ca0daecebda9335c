import { findAppFiles } from '../../host/app-root.ts';
import type { StoreName } from '../../host/instance-lock.ts';
import { transferStore } from '../../host/store-transfer.ts';
import { printJson, printLine, printNote } from '../output.ts';

export interface CopyOptions {
  readonly store: StoreName;
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

/** How often a copy that takes long says where it is, in milliseconds. */
const EVERY_MS = 2_000;

/** Says on standard error how far a copy is. */
function progress(): (table: string, rows: number) => void {
  let told = performance.now();
  return (table, rows) => {
    if (performance.now() - told < EVERY_MS) return;
    told = performance.now();
    printNote(`${table}: ${rows} rows`);
  };
}

/** `stores copy`. @throws HostRefusal, StoreError, StartRefusal */
export async function copy({ json, ...order }: CopyOptions): Promise<number> {
  const made = await transferStore(order, {
    env: process.env,
    files: findAppFiles(),
    now: () => Date.now(),
    onProgress: progress(),
  });
  if (json) {
    printJson(made);
    return 0;
  }
  const { store, tables, rows } = made;
  printLine(`✓ ${store}: ${tables.length} tables, ${rows} rows; counts and checksums are the same`);
  printNote(
    'The source is as it was. What stands beside a store in its data folder was not copied.',
  );
  return 0;
}
