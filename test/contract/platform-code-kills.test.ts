// A node that is killed while it packs, stores and unpacks functions of runs leaves nothing half.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { readSigningKey } from '../../server/bundles/keys.ts';
import { openCodeBundle } from '../../server/bundles/open-bundle.ts';
import type { Loose } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { projectTree } from '../support/project-tree.ts';
import { openStored } from '../support/stored.ts';
import { startNode, type TeamNode } from '../support/team.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 6);
const LARGE = 3_000_000;

let node: TeamNode | undefined;
afterEach(() => node?.kill());

async function post(url: string, body: unknown): Promise<Loose> {
  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: 'Bearer admin-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Each stored content is whole, and each unpacked folder holds what its content says. */
async function proveAll(file: string): Promise<number> {
  const stored = await openStored(file);
  const rows = stored.prepare<[], Loose>('SELECT sha256, content FROM code_bundles').all();
  await stored.close();
  const folders = existsSync(`${file}.code`) ? readdirSync(`${file}.code`) : [];
  for (const { sha256, content } of rows) {
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    const { files } = await openCodeBundle(content);
    if (!folders.includes(sha256)) continue;
    for (const [name, bytes] of files) {
      expect(readFileSync(path.join(`${file}.code`, sha256, name)).equals(bytes)).toBe(true);
    }
  }
  return rows.length;
}

test(`${KILLS} kills: keys, rows and folders are whole, and the next node goes on`, async () => {
  const folder = projectTree({ 'functions/work.ts': '' });
  const file = path.join(folder, 'platform.db');
  const options = { database: file, folder, project: folder, file };
  const change = (word: string): void => {
    writeFileSync(path.join(folder, 'functions/large.txt'), word.repeat(LARGE / word.length));
    writeFileSync(path.join(folder, 'functions/work.ts'), `export const it = () => '${word}';\n`);
  };
  const spec = functionSpec('work.it');
  let stored = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    change(`word${kill}`);
    node = await startNode(options);
    const asked = post(node.url, { input: 'x', spec, async_mode: kill % 2 === 0 }).catch(
      () => null,
    );
    await sleep(20 + Math.random() * 400);
    await node.kill();
    await asked;
    if (existsSync(`${file}.code-key`)) readSigningKey(readFileSync(`${file}.code-key`, 'utf8'));
    stored = await proveAll(file);
  }
  change('last');
  node = await startNode(options);
  const { status, output_text } = await post(node.url, { input: 'x', spec });
  expect([status, output_text]).toEqual(['completed', expect.stringContaining('last')]);
  expect(await proveAll(file)).toBeGreaterThan(stored);
}, 120_000);
