import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ProgramVersions, programVersions } from '../contract/stores.ts';
import { sameJson } from '../kernel/same-json.ts';
import { systemCode } from '../kernel/system-code.ts';
import { newestMigration } from '../store/migration-files.ts';
import type { AppFiles } from './app-root.ts';
import { writePrivateFile } from './private-file.ts';

const KEPT = 5;

type ProgramVersion = ProgramVersions['versions'][number];

function fileOf(folder: string): string {
  return path.join(folder, 'program-versions.json');
}

/** The versions that served a data folder, the latest last; none when that was never noted. */
export function readProgramVersions(folder: string): ProgramVersion[] {
  let text: string;
  try {
    text = readFileSync(fileOf(folder), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    return programVersions.parse(JSON.parse(text)).versions;
  } catch {
    // Written anew by the next start; nothing but going back needs it.
    return [];
  }
}

/** Notes, once every service answers, which version has the data folder and what its stores are like. */
export function noteProgramVersion(folder: string, files: AppFiles, now: string): void {
  const newest = (store: string) => newestMigration(path.join(files.migrations, store), store);
  const schemas = {
    platform: newest('platform'),
    dashboard: newest('dashboard'),
    studio: newest('studio'),
  };
  const versions = readProgramVersions(folder);
  const last = versions.at(-1);
  if (last?.version === files.version && sameJson(last.schemas, schemas)) return;
  const before = versions.filter(({ version }) => version !== files.version);
  const note = { version: files.version, started_at: now, schemas };
  const next: ProgramVersions = { versions: [...before, note].slice(-KEPT) };
  writePrivateFile(fileOf(folder), `${JSON.stringify(next, null, 2)}\n`);
}
