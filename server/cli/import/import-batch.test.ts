import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../../test/support/zip.ts';
import { convertAll } from './convert-all.ts';
import { reportText } from './report-text.ts';
import { listSources } from './sources.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FIXTURES = path.join(ROOT, 'test/fixtures');
const PUBLIC = path.join(FIXTURES, 'public-n8n');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'import-batch-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLE = readFileSync(path.join(FIXTURES, 'n8n/chat-anthropic-clean.json'));

const OPTIONS = {
  conversion: 'extended',
  source: undefined,
  onProgress: () => undefined,
} as const;

async function convert(...paths: readonly string[]) {
  return convertAll(await listSources(paths), OPTIONS, ({ report }) => report);
}

function specwright(...words: readonly string[]) {
  return spawnSync(process.execPath, [path.join(ROOT, 'server/cli/index.ts'), 'import', ...words], {
    encoding: 'utf8',
  });
}

describe('an import of several files', () => {
  it('keeps the order of the names and gives the same bytes each time', async () => {
    const mixed = path.join(folder, 'mixed');
    mkdirSync(path.join(mixed, 'deep'), { recursive: true });
    for (const name of ['001.json', '014.json', '100.json']) {
      cpSync(path.join(PUBLIC, name), path.join(mixed, 'deep', name));
    }
    cpSync(path.join(FIXTURES, 'dify/parallel-branches-join.yml'), path.join(mixed, 'app.yml'));
    writeFileSync(path.join(mixed, 'broken.json'), '{"nodes": [');
    writeFileSync(path.join(mixed, 'notes.txt'), 'not asked for');
    const first = await convert(mixed);
    expect(first.map(({ path: name, status }) => [name, status])).toEqual([
      ['mixed/app.yml', 'accepted'],
      ['mixed/broken.json', 'refused'],
      ['mixed/deep/001.json', 'accepted'],
      ['mixed/deep/014.json', 'accepted'],
      ['mixed/deep/100.json', 'accepted'],
    ]);
    expect(first[1]?.refusal?.code).toBe('source_unparseable');
    const second = await convert(mixed);
    for (const format of ['json', 'csv', 'html'] as const) {
      expect(reportText(second, format)).toBe(reportText(first, format));
    }
    expect(reportText(first, 'csv').split('\n')).toHaveLength(first.length + 2);
  });

  it('resolves calls between workflows that are imported together', async () => {
    const pair = path.join(folder, 'pair');
    mkdirSync(pair);
    const node = (name: string, type: string, parameters: object, x: number) => ({
      id: name,
      name,
      type: `n8n-nodes-base.${type}`,
      typeVersion: 1,
      position: [x, 0],
      parameters,
    });
    const caller = {
      name: 'Caller',
      nodes: [
        node('Start', 'manualTrigger', {}, 0),
        node('Call', 'executeWorkflow', { workflowId: 'w2' }, 200),
      ],
      connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
    };
    const called = {
      id: 'w2',
      name: 'Called',
      nodes: [
        node('In', 'executeWorkflowTrigger', {}, 0),
        node('List', 'executeCommand', { command: 'ls' }, 200),
      ],
      connections: { In: { main: [[{ node: 'List', type: 'main', index: 0 }]] } },
    };
    writeFileSync(path.join(pair, 'caller.json'), JSON.stringify(caller));
    writeFileSync(path.join(pair, 'called.json'), JSON.stringify(called));
    const converted = await convertAll(await listSources([pair]), OPTIONS, (file) => file);
    const gap = converted[1]?.analysis?.gaps.find(({ kind }) => kind === 'subworkflow');
    expect(gap?.detail).toContain('imported with it from "pair/called.json"');
    expect(converted[1]?.analysis?.spec_yaml).toContain('List');
    const once = new Set<string>();
    const changing = (await listSources([pair])).map(({ path: name, read }) => ({
      path: name,
      read: () => {
        const again = once.has(name);
        once.add(name);
        return again ? JSON.stringify({ ...called, nodes: [] }) : read();
      },
    }));
    const changed = await convertAll(changing, OPTIONS, (file) => file);
    const open = changed[1]?.analysis?.gaps.find(({ kind }) => kind === 'subworkflow');
    expect(open?.detail).toContain('"pair/called.json" changed while it was imported.');
  });

  it('reads few files ahead of the first that is not finished', async () => {
    const text = SAMPLE.toString();
    const note = { id: 'n', name: 'N', type: 'n8n-nodes-base.stickyNote', typeVersion: 1 };
    const large = JSON.stringify({
      name: 'Large',
      nodes: Array.from({ length: 4_000 }, (_, i) => ({
        ...{ ...note, id: `n${i}`, name: `N${i}`, position: [i, 0] },
        parameters: { content: 'word '.repeat(200) },
      })),
      connections: {},
    });
    let taken = 0;
    let ahead = 0;
    const files = Array.from({ length: 300 }, (_, i) => ({
      path: `f${i}.json`,
      read: () => {
        ahead = Math.max(ahead, i + 1 - taken);
        return i === 0 ? large : text;
      },
    }));
    const paths = await convertAll(files, OPTIONS, ({ report }) => {
      taken += 1;
      return report.path;
    });
    expect(paths).toEqual(files.map(({ path: name }) => name));
    expect(ahead).toBeLessThanOrEqual(6 * availableParallelism());
  });

  it('reads archives, and bounds hostile ones', async () => {
    const bomb = Buffer.alloc(40 * 1024 * 1024, 0x20);
    const inner = zipOf([{ name: 'a.json', data: SAMPLE }]);
    const file = path.join(folder, 'exports.zip');
    writeFileSync(
      file,
      zipOf([
        { name: 'b/good.json', data: SAMPLE },
        { name: 'a/bomb.json', data: bomb },
        { name: 'c/liar.json', data: bomb, size: 900 },
        { name: 'd/inner.zip', data: inner },
        { name: 'readme.md', data: Buffer.from('no export') },
      ]),
    );
    const slip = path.join(folder, 'slip.zip');
    writeFileSync(slip, zipOf([{ name: '../../evil.json', data: SAMPLE }]));
    const fake = path.join(folder, 'fake.zip');
    writeFileSync(fake, 'no archive');
    const reports = await convert(file, slip, fake);
    expect(reports.map(({ path: name, refusal }) => [name, refusal?.code ?? null])).toEqual([
      ['exports.zip/a/bomb.json', 'source_too_large'],
      ['exports.zip/b/good.json', null],
      ['exports.zip/c/liar.json', 'archive_refused'],
      ['exports.zip/d/inner.zip', 'archive_refused'],
      ['slip.zip', 'archive_refused'],
      ['fake.zip', 'archive_refused'],
    ]);
    expect(reports[4]?.refusal?.message).toBe('The archive holds a name that leads out of it.');
  });

  it('takes the two files of a CrewAI project as one, from a folder and from an archive', async () => {
    const text = readFileSync(path.join(FIXTURES, 'crewai/research-crew.yaml'), 'utf8');
    const [agents = '', tasks = ''] = text.split('---\n');
    const config = path.join(folder, 'research/src/research/config');
    mkdirSync(config, { recursive: true });
    writeFileSync(path.join(config, 'agents.yaml'), agents);
    writeFileSync(path.join(config, 'tasks.yaml'), tasks);
    writeFileSync(path.join(config, '../crew.py'), 'raise SystemExit("never run")\n');
    const zip = path.join(folder, 'crew.zip');
    const inside = (name: string, data: string) => ({ name, data: Buffer.from(data) });
    writeFileSync(
      zip,
      zipOf([inside('config/agents.yaml', agents), inside('config/tasks.yaml', tasks)]),
    );
    const reports = await convert(path.join(folder, 'research'), zip);
    expect(reports.map(({ path: file, source, status }) => [file, source, status])).toEqual([
      ['research/src/research/config/research.yaml', 'crewai', reports[0]?.status],
      ['crew.zip/config/crew.zip.yaml', 'crewai', reports[0]?.status],
    ]);
    expect(reports[0]?.draft).toBe('research.yaml');
  });

  it('writes drafts and report into a folder and leaves a changed draft alone', () => {
    const source = path.join(folder, 'one');
    mkdirSync(source);
    writeFileSync(path.join(source, 'desk.json'), SAMPLE);
    const out = path.join(folder, 'out');
    const first = specwright(source, '--out', out, '--format', 'csv');
    expect(first.status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['desk.gaps.json', 'desk.yaml', 'import-report.csv']);
    writeFileSync(path.join(out, 'desk.yaml'), 'version: v1\n');
    const second = specwright(source, '--out', out);
    expect(second.status).toBe(1);
    expect(second.stderr).toContain('left as it is');
    expect(readFileSync(path.join(out, 'desk.yaml'), 'utf8')).toBe('version: v1\n');
  });

  it('ends with 0, 1 and 2 for success, refusal and wrong words', () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{}');
    const report = specwright(broken, '--format', 'json');
    expect(report.status).toBe(1);
    expect(JSON.parse(report.stdout)).toMatchObject({
      summary: { files: 1, accepted: 0, refused: 1 },
      files: [{ path: 'broken.json', status: 'refused' }],
    });
    expect(specwright(broken, '--format', 'pdf').status).toBe(2);
    expect(specwright(folder, '--output', 'x.yaml').status).toBe(2);
    expect(existsSync('x.yaml')).toBe(false);
    const good = path.join(folder, 'one/desk.json');
    const single = specwright(good);
    expect([single.status, single.stdout.startsWith('version: v1')]).toEqual([0, true]);
  });

  it('writes what became of every part of one file, of a strict conversion too', () => {
    const good = path.join(folder, 'one/desk.json');
    const fatesOf = (...words: readonly string[]): Set<string> => {
      const entries: { fate: string }[] = JSON.parse(
        specwright(good, '--ledger', '-', ...words).stdout,
      );
      return new Set(entries.map(({ fate }) => fate));
    };
    expect([...fatesOf()].sort()).toEqual(['carried', 'no_meaning', 'told']);
    expect(fatesOf('--strict')).toContain('lost');
  });
});
