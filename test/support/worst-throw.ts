import { bodyInputs } from './worst-bodies.ts';
import { doorInputs, headersOf } from './worst-door-inputs.ts';
import {
  WORST_DRAFTS,
  WORST_INPUTS,
  WORST_LISTS,
  WORST_SPECS,
  type WorstInput,
} from './worst-inputs.ts';
import { LONG_RUN, rerunInputs, stallReaders } from './worst-runs.ts';

/** Where the services answer. */
export interface WorstTargets {
  readonly platform: string;
  readonly studio: string;
  readonly dashboard: string;
  readonly gateway: string;
}

/** An input that was thrown, and what came back. */
export interface WorstThrow {
  readonly service: WorstInput['service'];
  readonly what: string;
  readonly bytes: number;
  readonly status: number;
  /** The error code of the answer; empty when there is none. */
  readonly code: string;
  /** How the answer begins. */
  readonly text: string;
}

const PROJECT = '/api/projects/default';

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** The body in pieces of so many bytes, one each time that somebody asks. */
function inPieces(body: string, size: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at >= bytes.length) stream.close();
      else stream.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

function bodyOf({ pieces }: WorstInput, body: string | undefined) {
  if (body === undefined) return {};
  if (pieces === undefined) return { body };
  return { body: inPieces(body, pieces), duplex: 'half' as const };
}

async function send(
  targets: WorstTargets,
  input: WorstInput,
): Promise<{ bytes: number; answer: Answered }> {
  const body = input.body?.();
  const headers = { 'content-type': 'application/json', authorization: 'Bearer admin-key' };
  try {
    const response = await fetch(`${targets[input.service]}${input.path}`, {
      method: input.method,
      headers: { ...headers, ...input.headers?.() },
      ...bodyOf(input, body),
    });
    const answer = { status: response.status, text: await response.text() };
    return { bytes: (body ?? input.path).length, answer };
  } catch (error) {
    const text = error instanceof Error ? String(error.cause ?? error.message) : '';
    return { bytes: (body ?? input.path).length, answer: { status: 0, text } };
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The path without what differs from one throw to the next. */
function placeOf(path: string): string {
  return (path.split('?')[0] ?? '')
    .replace(PROJECT, '…')
    .replace(/worst-(\d+)-\d+/, 'worst-$1')
    .replace(/[0-9a-f]{32}|[0-9a-f-]{36}/, '{id}');
}

function codeOf(text: string): string {
  return /"(?:code|error)":\s*"([a-z_]+)"/.exec(text.slice(0, 4000))?.[1] ?? '';
}

type Told = (thrown: WorstThrow) => Promise<void>;

async function thrown(
  targets: WorstTargets,
  input: WorstInput,
  told: Told,
): Promise<Record<string, unknown>> {
  const { bytes, answer } = await send(targets, input);
  const { service, method, path, what } = input;
  const place = `${method} ${placeOf(path)}: ${what}`;
  const { status, text } = answer;
  await told({
    service,
    what: place,
    bytes,
    status,
    code: codeOf(text),
    text: text.slice(0, 4000),
  });
  return parsed(answer.text);
}

/** The way of one draft through the studio: saved, composed, frozen, judged, handed off. */
async function throwDraft(
  targets: WorstTargets,
  what: string,
  text: string,
  name: string,
  told: Told,
): Promise<void> {
  const ask = (method: WorstInput['method'], path: string, body?: object) =>
    thrown(
      targets,
      {
        ...{ service: 'studio', method, path: `${PROJECT}${path}`, what },
        ...(body === undefined ? {} : { body: () => JSON.stringify(body) }),
      },
      told,
    );
  const draft = await ask('POST', '/drafts', { name, kind: 'spec', text });
  const base = { path: draft['path'] ?? draft['ref'], revision: draft['revision'] };
  await ask('GET', `/drafts/${String(base.path)}`);
  const saved = { text: `${text} `, expected_revision: base.revision };
  const again = await ask('PUT', `/drafts/${String(base.path)}`, saved);
  const now = { ...base, revision: again['revision'] };
  await ask('POST', '/specs/compose', { base: now, overlays: [], overrides: {} });
  const artifact = await ask('POST', '/artifacts', { base: now, alias: 'default' });
  if (artifact['id'] === undefined) return;
  const artifact_id = artifact['id'];
  for (const verb of ['validate', 'compile', 'graph']) {
    await ask('POST', `/specs/${verb}`, { artifact_id });
  }
  await ask('GET', `/artifacts/${String(artifact_id)}/freshness`);
  await ask('GET', `/artifacts/${String(artifact_id)}/portability`);
  await ask('GET', `/artifacts/${String(artifact_id)}/export`);
}

/** A run, reruns of it with edits that cost, and readers of its stream that read nothing. */
async function throwRun(targets: WorstTargets, told: Told, only: RegExp): Promise<void> {
  const run = await thrown(targets, LONG_RUN, told);
  const id = String(run['run_id']);
  for (const input of rerunInputs(id)) {
    if (only.test(`${input.path} ${input.what}`)) await thrown(targets, input, told);
  }
  const readers = await stallReaders(targets.dashboard, id);
  const what = `GET /api/runs/{id}/trace/stream: ${readers} readers that stall`;
  await told({ service: 'dashboard', what, bytes: 0, status: 200, code: '', text: '' });
}

/** Drafts of one project bear names of their own. */
let turn = 0;

/** Throws every input, or those whose words match, at services that run. */
export async function throwWorst(
  targets: WorstTargets,
  told: Told,
  only: RegExp = /./,
): Promise<void> {
  for (const input of [
    ...WORST_INPUTS,
    ...doorInputs(WORST_LISTS, WORST_SPECS),
    ...bodyInputs(headersOf),
  ]) {
    if (only.test(`${input.path} ${input.what}`)) await thrown(targets, input, told);
  }
  if (only.test(LONG_RUN.what)) await throwRun(targets, told, only);
  for (const [i, [what, text]] of WORST_DRAFTS.entries()) {
    if (!only.test(`draft ${what}`)) continue;
    turn += 1;
    await throwDraft(targets, what, text(), `worst-${i}-${turn}`, told);
  }
}
