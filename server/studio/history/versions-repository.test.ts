import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFileStore, type StudioStore } from '../studio-store.ts';
import { insertVersion, listSurplus } from './versions-repository.ts';

let folder = '';
let store: StudioStore;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'versions-'));
  store = openFileStore({
    databaseFile: path.join(folder, 'studio.db'),
    migrationsDir: fileURLToPath(new URL('../../../migrations/studio', import.meta.url)),
    clock: { now: () => Date.UTC(2026, 10, 23) },
    log: { info() {}, warn() {}, error() {} },
  });
  const person = { id: 'o', issuer: 'i', subject: 's', display_name: 'n', created_at: 'now' };
  await store.db
    .insertInto('principal')
    .values({ ...person, kind: 'local_owner', state: 'active' })
    .execute();
  const project = { id: 'p', name: 'p', root: folder, created_at: 'now' };
  await store.db
    .insertInto('project')
    .values({ ...project, storage_kind: 'attached', quota_principal_id: 'o' })
    .execute();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A version as it is thrown: bytes and whether it has a name; oldest first. */
interface Thrown {
  readonly bytes: number;
  readonly isNamed: boolean;
}

/** Which of them go, by the definition. */
function surplusOf(versions: readonly Thrown[], most: number, mostBytes: number): string[] {
  const gone: string[] = [];
  let [place, total] = [0, 0];
  for (const [at, { bytes, isNamed }] of [...versions.entries()].reverse()) {
    if (isNamed) continue;
    place += 1;
    total += bytes;
    if (place > 1 && (place > most || total > mostBytes)) gone.push(`r${at}`);
  }
  return gone.reverse();
}

test('the oldest versions beyond number or size go, oldest first; never the newest, none with a name', async () => {
  let draft = 0;
  const thrown = fc.record({ bytes: fc.integer({ min: 0, max: 40 }), isNamed: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(thrown, { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 120 }),
      async (versions, most, mostBytes) => {
        draft += 1;
        const ref = `${draft}.yaml`;
        for (const [at, { bytes, isNamed }] of versions.entries()) {
          await insertVersion(store.db, {
            ...{ project_id: 'p', ref, revision: `r${at}`, cause: 'save', saved_at: 'now' },
            ...{ bytes, saved_by: null, name: isNamed ? 'kept' : null },
          });
        }
        const surplus = await listSurplus(store.db, 'p', ref, { most, mostBytes });
        expect(surplus.map(({ revision }) => revision)).toEqual(
          surplusOf(versions, most, mostBytes),
        );
      },
    ),
    { numRuns: 60 },
  );
});
