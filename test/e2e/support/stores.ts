import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { BUILT } from './headless.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Changes a store that no program has open, as another version or a fault would. */
export function changeStore(file: string, sql: string): void {
  const script =
    "const [file, sql] = process.argv.slice(1); const db = require('better-sqlite3')(file); db.exec(sql); db.close();";
  execFileSync(BUILT.node, ['-e', script, file, sql], { cwd: root });
}
