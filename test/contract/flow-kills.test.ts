import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { app, node } from '../../server/importers/testing/dify-exports.ts';
import { importedApp } from '../support/dify-apps.ts';
import { adds, calledFlowSpec, code, flowSpec } from '../support/flow-specs.ts';

// A service that is killed in the middle of a loop over items, or of a workflow that a step calls.

const SCRIPT = fileURLToPath(new URL('../support/platform-process.ts', import.meta.url));
const ROUNDS = 160;
const KILLS = 2;

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flow-kills-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function startProcess(): Promise<string> {
  const file = path.join(folder, 'platform.db');
  child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

async function killProcess(): Promise<void> {
  const gone = child === undefined ? undefined : once(child, 'exit');
  child?.kill('SIGKILL');
  await gone;
}

const headers = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };

async function read<T>(url: string): Promise<T> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
  return (await answer.json()) as T;
}

interface Items {
  readonly total: number;
  readonly runs: readonly {
    step: string;
    within: readonly { call: number }[];
    outputs: ({ n: number }[] | null)[];
  }[];
}

async function reaches(url: string, count: number): Promise<void> {
  for (;;) {
    const { total } = await read<Items>(`${url}?limit=1`);
    if (total >= count) return;
    await sleep(20);
  }
}

async function wholeLoop(url: string): Promise<Items['runs']> {
  const runs: Items['runs'][number][] = [];
  for (;;) {
    const page = await read<Items>(`${url}?limit=1000&offset=${runs.length}`);
    runs.push(...page.runs);
    if (runs.length >= page.total) return runs;
  }
}

async function completes(url: string): Promise<void> {
  const ended = async () => (await read<{ status: string }>(url)).status;
  await expect.poll(ended, { timeout: 60_000, interval: 100 }).toBe('completed');
}

async function begin(address: string, spec: object, items: readonly object[]): Promise<string> {
  const body = JSON.stringify({ input: JSON.stringify(items), spec, async_mode: true });
  const answer = await fetch(`${address}/v1/runs`, { method: 'POST', body, headers });
  return ((await answer.json()) as { run_id: string }).run_id;
}

test('kill -9 in a loop over items: no round is lost, none runs twice', async () => {
  const spec = flowSpec(
    {
      count: code(
        `const { n } = $input.first().json; return n >= ${ROUNDS} ? [] : [{ json: { n: n + 1 } }];`,
      ),
      mark: adds('seen', '={{ $("count").first().json.n }}'),
    },
    [
      ['count', 'mark'],
      ['mark', 'count'],
    ],
    { max_steps: 10_000 },
  );
  let address = await startProcess();
  const run_id = await begin(address, spec, [{ n: 0 }]);
  const items = () => `${address}/v1/runs/${run_id}/items`;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await reaches(items(), kill * 100);
    await killProcess();
    address = await startProcess();
  }
  await completes(`${address}/v1/runs/${run_id}`);
  const runs = await wholeLoop(items());
  const counted = runs.filter(({ step }) => step === 'count');
  expect(counted.map(({ outputs }) => outputs[0]?.[0]?.n)).toEqual([
    ...Array.from({ length: ROUNDS }, (_, at) => at + 1),
    undefined,
  ]);
  const marked = runs.filter(({ step }) => step === 'mark');
  expect(marked.map(({ outputs }) => outputs[0]?.[0])).toEqual(
    Array.from({ length: ROUNDS }, (_, at) => ({ n: at + 1, seen: String(at + 1) })),
  );
}, 120_000);

test('kill -9 in a called workflow: no call is lost, none is made twice', async () => {
  const call = {
    kind: 'workflow',
    type: 'n8n-nodes-base.executeWorkflow',
    version: 1.1,
    parameters: { mode: 'each' },
    node: { ref: 'inner' },
  } as const;
  const steps = { start: { type: 'n8n-nodes-base.noOp' }, call };
  const inner = [
    { mark: adds('seen', '={{ $json.n }}'), again: code('return items') },
    [['mark', 'again']],
  ] as const;
  const spec = calledFlowSpec(flowSpec(steps, [['start', 'call']]), { inner });
  let address = await startProcess();
  const given = Array.from({ length: ROUNDS }, (_, n) => ({ n }));
  const run_id = await begin(address, spec, given);
  const calls = async () => {
    const { events } = await read<{ events: { type: string }[] }>(
      `${address}/v1/runs/${run_id}/trace?limit=1000`,
    );
    return events.filter(({ type }) => type === 'workflow_started').length - 1;
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while ((await calls()) < kill * 50) await sleep(20);
    await killProcess();
    address = await startProcess();
  }
  await completes(`${address}/v1/runs/${run_id}`);
  expect(await calls()).toBe(ROUNDS);
  const runs = await wholeLoop(`${address}/v1/runs/${run_id}/items`);
  const inside = runs.filter(({ within }) => within.length > 0);
  expect(inside.map(({ step, within }) => [step, within[0]?.call])).toEqual(
    given.flatMap((_, at) => [
      ['inner_mark', at],
      ['inner_again', at],
    ]),
  );
  expect(runs.find(({ step }) => step === 'call')?.outputs).toEqual([
    given.map(({ n }) => ({ n, seen: String(n) })),
  ]);
}, 120_000);

test('kill -9 in the rounds of an iteration of Dify: each runs once, and none is lost', async () => {
  const doubled = {
    code_language: 'javascript',
    code: 'function main({ n }) { return { v: n * 2 } }',
    variables: [{ variable: 'n', value_selector: ['it', 'item'] }],
    outputs: { v: { type: 'number' } },
  };
  const inside = { parentId: 'it' };
  const list = { iterator_selector: ['s', 'list'], output_selector: ['c', 'v'] };
  const { spec } = importedApp(
    app(
      [
        node('s', 'start', { variables: [{ variable: 'list', type: 'json_object' }] }),
        node('it', 'iteration', list),
        node('is', 'iteration-start', {}, inside),
        node('c', 'code', doubled, inside),
        node('e', 'end', { outputs: [{ variable: 'all', value_selector: ['it', 'output'] }] }),
      ],
      's>it is>c it>e',
    ),
  );
  const numbers = Array.from({ length: ROUNDS }, (_, at) => at + 1);
  let address = await startProcess();
  const run_id = await begin(address, spec, [{ list: numbers }]);
  const items = () => `${address}/v1/runs/${run_id}/items`;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await reaches(items(), kill * 150);
    await killProcess();
    address = await startProcess();
  }
  await completes(`${address}/v1/runs/${run_id}`);
  const runs = await wholeLoop(items());
  const rounds = runs.filter(({ step }) => step === 'c').map(({ outputs }) => outputs[0]?.[0]);
  expect(rounds).toEqual(numbers.map((n) => ({ v: n * 2 })));
  expect(runs.at(-1)?.outputs).toEqual([[{ all: numbers.map((n) => n * 2) }]]);
}, 120_000);
