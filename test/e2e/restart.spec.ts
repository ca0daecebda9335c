import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type Headless, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const source = readFileSync(path.join(fixtures, 'n8n/agent-executors.json'), 'utf8');
const TINY = { version: 'v1', agent: { name: 'tiny', system_prompt: 'Answer.' } };
const PROJECT = '/api/projects/default';
const TERMINAL = ['completed', 'failed', 'cancelled', 'expired', 'timed_out'];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function send(
  { headers }: Headless,
  url: string,
  method: string,
  body: unknown,
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function read<T>({ headers }: Headless, url: string): Promise<T> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

interface Acknowledged {
  readonly saved: { ref: string; revision: string };
  readonly analyses: string[];
  readonly runs: string[];
}

/**
 * Saves, imports and starts runs until the services are gone; keeps what was answered. They are
 * killed so many milliseconds after each kind of work was answered once.
 */
async function workUntilKilled(
  headless: Headless,
  round: number,
  delay: number,
): Promise<Acknowledged> {
  const { urls } = headless;
  const text = (n: number) => `version: v1\nagent:\n  name: draft-${n}\n  system_prompt: Go.\n`;
  const created = (await send(headless, `${urls.studio}${PROJECT}/drafts`, 'POST', {
    name: `round-${round}`,
    kind: 'spec',
    text: text(0),
  })) as { ref: string; revision: string };
  const done: Acknowledged = {
    saved: { ref: created.ref, revision: created.revision },
    analyses: [],
    runs: [],
  };
  let isEnding = false;
  const killSoon = () => {
    if (isEnding || done.analyses.length === 0 || done.runs.length === 0) return;
    isEnding = true;
    setTimeout(() => void headless.stop('SIGKILL'), delay);
  };
  const until = async (step: (n: number) => Promise<void>) => {
    try {
      for (let n = 1; ; n += 1) await step(n);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const save = until(async (n) => {
    const url = `${urls.studio}${PROJECT}/drafts/${done.saved.ref}`;
    const body = { text: text(n), expected_revision: done.saved.revision };
    done.saved.revision = (
      (await send(headless, url, 'PUT', body)) as { revision: string }
    ).revision;
  });
  const bring = until(async () => {
    const result = await send(headless, `${urls.studio}${PROJECT}/import/n8n`, 'POST', {
      raw: source,
      alias: 'default',
    });
    done.analyses.push(...(result as { analysis_ids: string[] }).analysis_ids);
    killSoon();
  });
  const start = until(async () => {
    const body = { spec: TINY, input: 'hello', async_mode: true };
    const run = await send(headless, `${urls.platform}/v1/runs`, 'POST', body);
    done.runs.push((run as { run_id: string }).run_id);
    killSoon();
  });
  await Promise.all([save, bring, start]);
  return done;
}

test('kill -9 in the middle of saves, imports and runs loses nothing that was answered', async () => {
  const rounds: Acknowledged[] = [];
  for (let round = 0; round < 3; round += 1) {
    const headless = await serveHeadless({ folder: folder.path });
    rounds.push(await workUntilKilled(headless, round, 100 + round * 330));
  }
  const headless = await serveHeadless({ folder: folder.path });
  const { urls, stop } = headless;
  for (const { saved, analyses, runs } of rounds) {
    expect(runs.length * analyses.length).toBeGreaterThan(0);
    const draft = await read<{ text: string; revision: string }>(
      headless,
      `${urls.studio}${PROJECT}/drafts/${saved.ref}`,
    );
    expect(sha256(draft.text)).toBe(draft.revision);
    // The save that was cut off may have reached the disk; an older text may not be there.
    const number = Number(/draft-(\d+)/.exec(draft.text)?.[1]);
    const answered = sha256(draft.text.replace(`draft-${number}`, `draft-${number - 1}`));
    expect([draft.revision, answered]).toContain(saved.revision);
    for (const id of analyses) {
      await read(headless, `${urls.studio}${PROJECT}/analyses/${id}`);
    }
    for (const id of runs) {
      await expect
        .poll(
          async () => {
            const run = await read<{ status: string }>(headless, `${urls.platform}/v1/runs/${id}`);
            return TERMINAL.includes(run.status);
          },
          { timeout: 60_000 },
        )
        .toBe(true);
    }
  }
  expect(await stop()).toBe(0);
});
