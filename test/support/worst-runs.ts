import { connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import type { WorstInput } from './worst-inputs.ts';

const STEPS = 100;
const READERS = 100;
/** Longer than a stream takes to fill a connection that nobody reads. */
const STALL_MS = 1000;

function manySteps(): object {
  const steps = Array.from({ length: STEPS }, (_, i) => ({ id: `s${i}`, kind: 'agent', ref: 'a' }));
  return {
    spec: {
      version: 'v1',
      agent: { name: 'root' },
      workflow: { type: 'sequential', steps },
      components: { agents: { a: { name: 'a' } } },
    },
    input: 'x'.repeat(2000),
  };
}

const text = (length: number): string => 'x'.repeat(length);
const named = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const message = (content: string) => ({ role: 'user', content });

const EDITS: readonly (readonly [what: string, edits: () => object])[] = [
  ['edits of 900 KB of messages', () => ({ messages: new Array(45).fill(message(text(19_900))) })],
  ['edits of 50,000 outputs', () => ({ outputs: named(50_000, 'x') })],
  ['edits of 50,000 outputs that are wrong', () => ({ outputs: named(50_000, 0) })],
  ['edits of 40,000 histories', () => ({ histories: named(40_000, []) })],
  ['edits of names that do not exist', () => named(60_000, 0)],
];

/** The run whose trace and checkpoints the throws read. */
export const LONG_RUN: WorstInput = {
  service: 'platform',
  method: 'POST',
  path: '/v1/runs',
  what: 'a run of 100 steps',
  body: () => JSON.stringify(manySteps()),
};

/** Reruns of a run whose edits cost as much as they can, and of its whole course. */
export function rerunInputs(runId: string): readonly WorstInput[] {
  const path = `/v1/runs/${runId}/rerun`;
  const last = `checkpoint_sequence=${STEPS}`;
  return [
    { service: 'platform', method: 'GET', path: `${path}?${last}`, what: 'edits of a long run' },
    {
      ...{ service: 'platform', method: 'POST', path, what: 'edits of nothing in a long run' },
      body: () => JSON.stringify({ checkpoint_sequence: STEPS, async_mode: true }),
    },
    ...EDITS.map(
      ([what, edits]): WorstInput => ({
        ...{ service: 'platform', method: 'POST', path, what },
        body: () => JSON.stringify({ checkpoint_sequence: 2, edits: edits() }),
      }),
    ),
  ];
}

async function stalled(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
  return socket;
}

/** Many readers of the dashboard's stream who ask and read nothing; gone when it ends. */
export async function stallReaders(dashboard: string, runId: string): Promise<number> {
  const url = new URL(`${dashboard}/api/runs/${runId}/trace/stream`);
  const sockets = await Promise.all(Array.from({ length: READERS }, () => stalled(url)));
  await later(STALL_MS);
  for (const socket of sockets) socket.destroy();
  return sockets.length;
}
