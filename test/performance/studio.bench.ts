import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '../../server/kernel/sha256.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { type Figure, measure, milliseconds } from './harness.ts';

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
async function saveFigure(): Promise<Figure> {
  const studio = await startStudioUnderTest('http://127.0.0.1:9', { checkResponses: false });
  await asked(studio, 'POST', '/drafts', { name: 'mine', kind: 'spec', text: TEXT });
  let [text, turn] = [TEXT, 0];
  const figure = await measure(SUITE, {
    name: 'save of a draft, file flushed and version kept',
    unit: 'ms',
    warmup: 220,
    repeats: 200,
    budget: { atMost: 3 },
    sample: async () => {
      turn += 1;
      const next = `${TEXT}# ${turn}\n`;
      const body = { text: next, expected_revision: sha256Hex(text) };
      const took = await milliseconds(() =>
        asked(studio, 'PUT', '/drafts/.studio/drafts/mine.yaml', body),
      );
      text = next;
      return took;
    },
  });
  await studio.dispose();
  return figure;
}

/** What the author waits for in the files of a project. */
export async function studioBench(): Promise<readonly Figure[]> {
  return [...(await treeFigures()), await saveFigure()];
}
