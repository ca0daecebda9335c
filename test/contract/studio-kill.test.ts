import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isCutOff, KilledStudio } from '../support/killed-studio.ts';

const P = '/api/projects/default';
const SOURCE = readFileSync(
  new URL('../fixtures/n8n/two-agents-sequential.json', import.meta.url),
  'utf8',
);
const ROUNDS = 8;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

const studio = new KilledStudio();
const call = (method: string, target: string, body?: unknown) => studio.call(method, target, body);
afterAll(() => studio.remove());

interface Imported {
  path: string;
  revision: string;
  analysis: string;
}

interface Known {
  /** Acknowledged text of the draft that is saved over and over. */
  saved: string;
  /** Text whose save was not answered. */
  pending: string | undefined;
  imports: Imported[];
  /** One that is being deleted or put back. */
  moving: Imported | undefined;
  count: number;
}

/** Saves and imports until the process is gone. */
async function work(known: Known): Promise<void> {
  for (;;) {
    known.count += 1;
    known.pending = `version: v1\n# ${known.count} ${'x'.repeat(known.count % 7 === 0 ? 200_000 : 10)}\n`;
    const save = await call('PUT', `${P}/drafts/.studio/drafts/mine.yaml`, {
      text: known.pending,
      expected_revision: sha(known.saved),
    });
    expect(save.status).toBe(200);
    known.saved = known.pending;
    known.pending = undefined;
    const made = await call('POST', `${P}/import/n8n`, {
      raw: SOURCE.replace('}', `,"n${known.count}":1}`).replace('{,', '{'),
      alias: 'default',
      source_name: `flow-${known.count}`,
    });
    if (made.status !== 201) continue;
    const { draft, analysis_ids } = made.body;
    known.moving = { ...draft, analysis: analysis_ids[0] };
    const going = { ref: draft.path, expected_revision: draft.revision };
    const gone = await call('POST', `${P}/trash`, going);
    expect(gone.status).toBe(201);
    const back = await call('POST', `${P}/trash/${gone.body.id}/restorations`, {});
    expect(back.status).toBe(200);
    known.imports.push({ ...draft, analysis: analysis_ids[0] });
    known.moving = undefined;
  }
}

async function check(known: Known): Promise<void> {
  const mine = await call('GET', `${P}/drafts/.studio/drafts/mine.yaml`);
  expect([known.saved, known.pending]).toContain(mine.body.text);
  known.saved = mine.body.text;
  known.pending = undefined;
  const drafts = (await call('GET', `${P}/drafts`)).body;
  const revisions = new Map(
    drafts.map((d: { ref: string; revision: string }) => [d.ref, d.revision]),
  );
  const { entries } = (await call('GET', `${P}/trash`)).body;
  const { moving } = known;
  if (moving !== undefined) {
    const deleted = entries.map((entry: { revision: string }) => entry.revision);
    expect(
      [...deleted, ...revisions.values()].filter((one) => one === moving.revision),
    ).toHaveLength(1);
    known.moving = undefined;
  }
  for (const item of known.imports) {
    expect(revisions.get(item.path)).toBe(item.revision);
    expect((await call('GET', `${P}/analyses/${item.analysis}`)).status).toBe(200);
  }
  const files = readdirSync(path.join(studio.tree, '.studio', 'drafts'));
  expect(files.map((name) => `.studio/drafts/${name}`).sort()).toEqual(
    [...revisions.keys()].sort(),
  );
}

test('kill -9 at any moment of a save or an import leaves old or new bytes, and no half record', async () => {
  const known: Known = {
    saved: 'version: v1\n',
    pending: undefined,
    imports: [],
    moving: undefined,
    count: 0,
  };
  await studio.start();
  const body = { name: 'mine', kind: 'spec', text: known.saved };
  expect((await call('POST', `${P}/drafts`, body)).status).toBe(201);
  for (let round = 0; round < ROUNDS; round += 1) {
    // A slow machine gets as far as a fast one: so many writes are answered before each kill.
    const enough = known.count + 1 + (round % 3);
    const working = work(known).catch((error: unknown) => {
      if (!isCutOff(error)) throw error;
    });
    await expect.poll(() => known.count, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 90));
    await studio.kill();
    await working;
    await studio.start();
    await check(known);
  }
  expect(known.imports.length).toBeGreaterThan(0);
}, 120_000);
