import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CHILD = fileURLToPath(new URL('../support/studio-child.ts', import.meta.url));
const P = '/api/projects/default';
const SOURCE = readFileSync(
  new URL('../fixtures/n8n/two-agents-sequential.json', import.meta.url),
  'utf8',
);
const ROUNDS = 8;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

let folder = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'studio-kill-'));
  mkdirSync(path.join(folder, 'tree'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const started = spawn(process.execPath, [CHILD, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  return new Promise((resolve, reject) => {
    started.stdout?.once('data', (chunk) => resolve(chunk.toString().trim()));
    started.once('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
  });
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGKILL');
  await ended;
}

async function call(url: string, method: string, target: string, body?: unknown) {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

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
async function work(url: string, known: Known): Promise<void> {
  for (;;) {
    known.count += 1;
    known.pending = `version: v1\n# ${known.count} ${'x'.repeat(known.count % 7 === 0 ? 200_000 : 10)}\n`;
    const save = await call(url, 'PUT', `${P}/drafts/.studio/drafts/mine.yaml`, {
      text: known.pending,
      expected_revision: sha(known.saved),
    });
    expect(save.status).toBe(200);
    known.saved = known.pending;
    known.pending = undefined;
    const made = await call(url, 'POST', `${P}/import/n8n`, {
      raw: SOURCE.replace('}', `,"n${known.count}":1}`).replace('{,', '{'),
      alias: 'default',
      source_name: `flow-${known.count}`,
    });
    if (made.status !== 201) continue;
    const { draft, analysis_ids } = made.body;
    known.moving = { ...draft, analysis: analysis_ids[0] };
    const going = { ref: draft.path, expected_revision: draft.revision };
    const gone = await call(url, 'POST', `${P}/trash`, going);
    expect(gone.status).toBe(201);
    const back = await call(url, 'POST', `${P}/trash/${gone.body.id}/restorations`, {});
    expect(back.status).toBe(200);
    known.imports.push({ ...draft, analysis: analysis_ids[0] });
    known.moving = undefined;
  }
}

async function check(url: string, known: Known): Promise<void> {
  const mine = await call(url, 'GET', `${P}/drafts/.studio/drafts/mine.yaml`);
  expect([known.saved, known.pending]).toContain(mine.body.text);
  known.saved = mine.body.text;
  known.pending = undefined;
  const drafts = (await call(url, 'GET', `${P}/drafts`)).body;
  const revisions = new Map(
    drafts.map((d: { ref: string; revision: string }) => [d.ref, d.revision]),
  );
  const { entries } = (await call(url, 'GET', `${P}/trash`)).body;
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
    expect((await call(url, 'GET', `${P}/analyses/${item.analysis}`)).status).toBe(200);
  }
  const files = readdirSync(path.join(folder, 'tree', '.studio', 'drafts'));
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
  let url = await start();
  const body = { name: 'mine', kind: 'spec', text: known.saved };
  expect((await call(url, 'POST', `${P}/drafts`, body)).status).toBe(201);
  for (let round = 0; round < ROUNDS; round += 1) {
    // A slow machine gets as far as a fast one: so many writes are answered before each kill.
    const enough = known.count + 1 + (round % 3);
    const working = work(url, known).catch((error: unknown) => {
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    });
    await expect.poll(() => known.count, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 90));
    await kill();
    await working;
    url = await start();
    await check(url, known);
  }
  expect(known.imports.length).toBeGreaterThan(0);
  await kill();
}, 120_000);
