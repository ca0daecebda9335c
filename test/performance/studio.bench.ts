import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { sha256Hex } from '../../server/kernel/sha256.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { type Figure, measure, milliseconds } from './harness.ts';
import { call } from './platform-http.ts';
import { withServed } from './served-studio.ts';

const SUITE = 'studio';
const P = '/api/projects/default';
const FILES = 5_000;
const FOLDERS = 50;
const TEXT = `version: v1\nagent:\n  name: desk\n  system_prompt: Go.\n${'# a line of the author\n'.repeat(40)}`;

async function asked(studio: StudioUnderTest, method: string, target: string, body?: unknown) {
  const answer = await studio.call(method, `${P}${target}`, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.body;
}

function fill(studio: StudioUnderTest): void {
  for (let n = 0; n < FILES; n += 1) {
    const folder = path.join(studio.root, `d${n % FOLDERS}`);
    if (n < FOLDERS) mkdirSync(folder);
    writeFileSync(path.join(folder, `f${n}.yaml`), TEXT);
  }
}

/** A folder of 5,000 files: read for the first time, and again after a change. */
async function treeFigures(): Promise<Figure[]> {
  const studio = await startStudioUnderTest('http://127.0.0.1:9', { checkResponses: false });
  fill(studio);
  const read = () => milliseconds(() => asked(studio, 'GET', '/tree'));
  const first = await measure(SUITE, {
    name: 'tree of 5,000 files, first reading',
    unit: 'ms',
    repeats: 5,
    budget: { atMost: 300 },
    sample: async () => {
      await studio.restart();
      await asked(studio, 'GET', '/drafts');
      return read();
    },
  });
  let turn = 0;
  const again = await measure(SUITE, {
    name: 'tree of 5,000 files, after a change',
    unit: 'ms',
    warmup: 2,
    repeats: 10,
    budget: { atMost: 150 },
    sample: () => {
      turn += 1;
      writeFileSync(path.join(studio.root, 'd0', `new-${turn}.yaml`), TEXT);
      return read();
    },
  });
  await studio.dispose();
  return [first, again];
}

/** Saves with the file on the disk and the version kept. */
async function saveFigure(url: string): Promise<Figure> {
  const drafts = `${url}/api/projects/default/drafts`;
  await call('POST', drafts, { name: 'mine', kind: 'spec', text: TEXT });
  let [text, turn] = [TEXT, 0];
  return measure(SUITE, {
    name: 'save of a draft, file flushed and version kept',
    unit: 'ms',
    warmup: 220,
    repeats: 200,
    budget: { atMost: 3 },
    sample: async () => {
      turn += 1;
      const next = `${TEXT}# ${turn}\n`;
      const body = { text: next, expected_revision: sha256Hex(text) };
      const mine = `${drafts}/.studio/drafts/mine.yaml`;
      const took = await milliseconds(() => call('PUT', mine, body));
      text = next;
      return took;
    },
  });
}

const LISTED = 1_000;

/** The drafts of a project of a thousand, each file looked at. */
async function listFigure(url: string): Promise<Figure> {
  const drafts = `${url}/api/projects/default/drafts`;
  for (let n = 0; n < LISTED; n += 1) {
    await call('POST', drafts, { name: `draft-${n}`, kind: 'spec', text: `${TEXT}# ${n}\n` });
  }
  return measure(SUITE, {
    name: 'list of 1,000 drafts',
    unit: 'ms',
    warmup: 10,
    repeats: 50,
    budget: { atMost: 15 },
    sample: () => milliseconds(() => call('GET', drafts)),
  });
}

const ARTIFACTS = 1_000;
const DRAFTS = 50;

/** Artifacts of imported drafts: each draft has two lineages, every second one a later analysis. */
async function fillArtifacts(studio: StudioUnderTest): Promise<void> {
  const source = new URL('../fixtures/n8n/two-agents-sequential.json', import.meta.url);
  const raw = readFileSync(source, 'utf8');
  const age = new BetterSqlite3(path.join(studio.folder, 'state', 'studio.db'));
  for (let draft = 0; draft < DRAFTS; draft += 1) {
    const own = raw.replaceAll('Gather facts', `Gather facts ${draft}`);
    const send = (spaces: string) =>
      asked(studio, 'POST', '/import/n8n', {
        raw: `${own}${spaces}`,
        alias: 'default',
        source_name: `draft-${draft}`,
      });
    await send('');
    const { draft: base } = await send(' ');
    age
      .prepare("UPDATE analysis SET analyzer_version = '0.1.0' WHERE output_sha256 = ?")
      .run(base.revision);
    for (let n = 0; n < ARTIFACTS / DRAFTS; n += 1) {
      await asked(studio, 'POST', '/artifacts', { base, alias: 'default' });
    }
    if (draft % 2 === 0) await send('');
  }
  age.close();
}

/** Freshness of all artifacts of a project. */
async function freshnessFigure(): Promise<Figure> {
  const studio = await startStudioUnderTest('http://127.0.0.1:9', { checkResponses: false });
  await fillArtifacts(studio);
  const { artifacts } = await asked(studio, 'GET', '/freshness');
  if (artifacts.length !== ARTIFACTS) throw new Error(`${artifacts.length} artifacts`);
  const figure = await measure(SUITE, {
    name: 'freshness of 1,000 artifacts',
    unit: 'ms',
    warmup: 5,
    repeats: 30,
    budget: { atMost: 50 },
    sample: () => milliseconds(() => asked(studio, 'GET', '/freshness')),
  });
  await studio.dispose();
  return figure;
}

const OVERLAYS = 10;

/** A base of 60 agents under ten overlays, each of which changes six of them, and overrides. */
async function composeFigure(): Promise<Figure> {
  const studio = await startStudioUnderTest('http://127.0.0.1:9', { checkResponses: false });
  const agents = Array.from(
    { length: 60 },
    (_, n) => `    a${n}: {name: a${n}, system_prompt: Answer letter ${n}.}\n`,
  );
  const made = async (name: string, kind: 'spec' | 'overlay', text: string) => {
    const { ref, revision } = await asked(studio, 'POST', '/drafts', { name, kind, text });
    return { path: ref, revision };
  };
  const text = `version: v1\nagent: {name: desk}\ncomponents:\n  agents:\n${agents.join('')}`;
  const base = await made('base', 'spec', text);
  const overlays: { path: string; revision: string }[] = [];
  for (let n = 0; n < OVERLAYS; n += 1) {
    const changed = Array.from(
      { length: 6 },
      (_, at) => `    a${n * 6 + at}: {system_prompt: Answer in layer ${n}.}\n`,
    );
    const over = `components:\n  agents:\n${changed.join('')}`;
    overlays.push(await made(`over-${n}`, 'overlay', over));
  }
  const overrides = { agent: { name: 'front' } };
  const figure = await measure(SUITE, {
    name: 'composed text and origins of 10 overlays',
    unit: 'ms',
    warmup: 30,
    repeats: 100,
    budget: { atMost: 5 },
    sample: () =>
      milliseconds(() => asked(studio, 'POST', '/specs/compose', { base, overlays, overrides })),
  });
  await studio.dispose();
  return figure;
}

/** What the author waits for in a project. */
export async function studioBench(): Promise<readonly Figure[]> {
  const saves = await withServed(async (url) => [await saveFigure(url)]);
  const lists = await withServed(async (url) => [await listFigure(url)]);
  const files = [...(await treeFigures()), ...saves, ...lists];
  return [...files, await composeFigure(), await freshnessFigure()];
}
