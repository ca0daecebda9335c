// A secret in each place that keeps one; then everything that others can see is searched for all of
// them: answers, logs, files, words and variables of processes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialSecretName } from '../../server/contract/credentials.ts';
import type { Route } from '../../server/contract/route.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { formsOf, plantsBelow, plantsIn, processesBelow } from '../support/secret-forms.ts';
import {
  hasSecretService,
  type SecretService,
  startSecretService,
} from '../support/secret-service.ts';
import { type Served, serve } from '../support/served.ts';

/** Signs that every form of escaping writes in another way. */
const odd = (place: string): string => `plant ${place} "7\\c%2 & +/=<e9>`;
const CREDENTIAL = credentialSecretName('httpHeaderAuth', 'Desk');
const TOOL = 'TOOL_TOKEN';
/** By the name under which each is stored; the passphrase opens the file. */
const PLANTS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: odd('model'),
  [CREDENTIAL]: odd('credential'),
  SPEC_SECRET: odd('named'),
  [TOOL]: odd('tool'),
  'platform:prod': odd('platform'),
  'remote:team': odd('remote'),
  passphrase: odd('passphrase'),
};
const { [TOOL]: _, ...ALL_BUT_TOOL } = PLANTS;
const MCP = fileURLToPath(new URL('../support/mcp-stdio-server.ts', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../server/contract', import.meta.url));

const MOUNTS: Readonly<Record<Route['service'], string>> = {
  ...{ platform: '/platform/v1', dashboard: '/dashboard/api' },
  ...{ studio: '/studio/api', gateway: '/gateway' },
};

let model: ModelServer;
let service: SecretService | undefined;
let cli: Cli;
let served: Served;
let cookie = '';
/** All that the command line printed, and all that was answered. */
let printed = '';
let answered = '';

beforeAll(async () => {
  model = await startModelServer();
  service = hasSecretService ? await startSecretService() : undefined;
  cli = createCli();
  Object.assign(cli.env, service?.env ?? {}, { OPENAI_BASE_URL: model.baseUrl('openai') });
});
afterAll(async () => {
  await model.stop();
  await service?.stop();
  cli.dispose();
});

async function command(words: readonly string[], input?: string): Promise<void> {
  const { code, stdout, stderr } = await cli.run(words, {}, input);
  expect([words, code, stderr]).toEqual([words, 0, stderr]);
  printed += stdout + stderr;
}

async function ask(method: string, url: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { cookie, origin: served.ready.gateway, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Streams that stay open have said by then what they say first.
    signal: AbortSignal.timeout(10_000),
    redirect: 'manual',
  });
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('latin1');
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  answered += `${[...response.headers].join('\n')}\n${text}\n`;
  return { status: response.status, text };
}

const at = (route: string): string => `${served.ready.gateway}${route}`;

/** One in each place: the keychain, the file, and what opens the file. */
async function plantAll(): Promise<void> {
  const { passphrase = '', ...stored } = PLANTS;
  const place = hasSecretService ? ['--to', 'keychain'] : [];
  for (const [name, value] of Object.entries(stored)) {
    const where = name === 'SPEC_SECRET' || name === TOOL ? ['--to', 'file'] : place;
    const kept =
      name === CREDENTIAL ? JSON.stringify({ kind: 'header', name: 'X-Key', value }) : value;
    await command(['secrets', 'set', name, ...where], kept);
  }
  await command(['secrets', 'passphrase'], `${passphrase}\n${passphrase}\n`);
}

async function operations(): Promise<Route[]> {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(
    sources.map((name): Promise<Record<string, unknown>> => import(path.join(CONTRACT, name))),
  );
  const isRoute = (value: unknown): value is Route =>
    typeof value === 'object' && value !== null && 'service' in value && 'method' in value;
  return modules.flatMap((module) => Object.values(module).filter(isRoute));
}

/** Every address that can be read, with the ids of this test; other ids are told as unknown. */
async function readAll(ids: Readonly<Record<string, string>>): Promise<number> {
  let found = 0;
  for (const { service: name, method, path: pattern } of await operations()) {
    if (method !== 'GET') continue;
    const route = pattern.replaceAll(/\{(\w+)\+?\}/g, (_all, param) => ids[param] ?? 'x');
    const { status } = await ask('GET', at(`${MOUNTS[name]}${route}`));
    if (status === 200) found += 1;
  }
  return found;
}

const SPEC = {
  version: 'v1',
  agent: {
    name: 'desk',
    strategy: { type: 'react' },
    system_prompt: 'Answer.',
    model: { provider: 'openai', name: 'gpt-9' },
    tools: { include: ['web_search'] },
  },
  tools: { web_search: { description: 'find', mcp: { server: 'shop', name: 'web_search' } } },
  mcp_servers: {
    shop: {
      ...{ transport: 'stdio', command: process.execPath, args: [MCP] },
      env: { GIVEN: `\${${TOOL}}` },
    },
  },
};

test('no secret that is stored is anywhere but where it is kept and where it is sent', {
  timeout: 240_000,
}, async () => {
  await plantAll();
  const key = cli.write('passphrase', `${PLANTS['passphrase']}\n`);
  served = await serve(
    {
      ...cli,
      start: (words, env) => cli.start(words, { ...env, SPECWRIGHT_SECRETS_PASSPHRASE_FILE: key }),
    },
    ['--trust'],
  );
  const { headers } = await fetch(await served.link(), { redirect: 'manual' });
  cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  const seen: string[] = [];
  let isRefusing = false;
  const children: ReturnType<typeof processesBelow>[number][] = [];
  model.answerWith(({ headers: sent }) => {
    seen.push(String(sent['authorization']));
    children.push(...processesBelow(served.child.pid ?? 0));
    const message = `Incorrect key ${PLANTS['OPENAI_API_KEY']}`;
    if (seen.length === 1)
      return { toolCalls: [{ name: 'web_search', arguments: { query: 'x' } }] };
    return isRefusing ? { fault: { kind: 'status', status: 400, message } } : { text: 'done' };
  });
  const ids: Record<string, string> = {
    ...{ project_id: 'default', alias: 'default', environment: 'default' },
  };
  const drafts = at('/studio/api/projects/default/drafts');
  const draft = await ask('POST', drafts, {
    ...{ name: 'desk', kind: 'spec', text: JSON.stringify(SPEC) },
  });
  Object.assign(ids, { ref: JSON.parse(draft.text).ref });
  for (const status of ['completed', 'failed']) {
    const made = await ask('POST', at('/platform/v1/runs'), {
      ...{ input: 'hello', spec: SPEC, async_mode: true },
    });
    const { run_id: id } = JSON.parse(made.text);
    await expect
      .poll(async () => JSON.parse((await ask('GET', at(`/platform/v1/runs/${id}`))).text).status, {
        timeout: 90_000,
      })
      .toBe(status);
    isRefusing = true;
    Object.assign(ids, { run_id: id });
  }
  expect(new Set(seen)).toEqual(new Set([`Bearer ${PLANTS['OPENAI_API_KEY']}`]));

  // Words and variables of every process, those of the tool's program too, which gets what is its own.
  const tools = children.filter(({ words }) => words.includes('mcp-stdio-server'));
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.every(({ variables }) => plantsIn(variables, PLANTS).includes(TOOL))).toBe(true);
  for (const { words, variables } of children) {
    expect(plantsIn(words, PLANTS)).toEqual([]);
    const isTool = words.includes('mcp-stdio-server') || variables.includes('GIVEN=');
    expect(plantsIn(variables, isTool ? ALL_BUT_TOOL : PLANTS)).toEqual([]);
  }

  // Every change of a stored secret, and everything that can be read.
  const moved = { names: Object.keys(PLANTS).filter((name) => name !== 'passphrase'), to: 'file' };
  await ask('POST', at('/gateway/secrets/move'), moved);
  const body = { passphrase: PLANTS['passphrase'] };
  await ask('POST', at('/gateway/secrets/file/lock'));
  expect((await ask('POST', at('/gateway/secrets/file/unlock'), body)).status).toBe(200);
  const wrong = { passphrase: `${PLANTS['passphrase']}?`, current: PLANTS['SPEC_SECRET'] };
  expect((await ask('PUT', at('/gateway/secrets/file/passphrase'), wrong)).status).toBe(403);
  const bad = { key: `${PLANTS['OPENAI_API_KEY']}\nand more` };
  expect((await ask('PUT', at('/gateway/model-keys/OPENAI_API_KEY'), bad)).status).toBe(400);
  expect(await readAll(ids)).toBeGreaterThan(60);
  for (const words of [
    ['secrets', 'list', '--json'],
    ['config', 'secrets', '--json'],
    ['runs', 'list', '--json'],
  ]) {
    const { stdout, stderr } = await cli.run(words);
    printed += stdout + stderr;
  }
  await served.stop();

  expect(plantsIn(answered, PLANTS)).toEqual([]);
  expect(plantsIn(printed, PLANTS)).toEqual([]);
  expect(plantsIn(served.log(), PLANTS)).toEqual([]);
  // The file that holds the passphrase is the person's own.
  expect(plantsBelow(cli.folder, PLANTS)).toEqual(['work/passphrase: passphrase']);
  const log = readFileSync(path.join(cli.folder, 'state/specwright/logs/services.log'), 'utf8');
  expect(log.includes('"path":"/api/projects/default/drafts"')).toBe(true);
});

test('the search finds a value in each of its forms', () => {
  const value = odd('found');
  const texts = [
    value,
    JSON.stringify({ a: [JSON.stringify({ value })] }),
    `https://x.example/?q=${encodeURIComponent(value)}`,
    new URLSearchParams({ value }).toString(),
    ...['', 'a', 'ab', 'abc'].map((user) => btoa(`${user}:${value}:tail`)),
    Buffer.from(value, 'utf16le').toString('latin1'),
  ];
  for (const text of texts) expect(plantsIn(text, { value }), text).toEqual(['value']);
  expect(plantsIn('plant found 7', { value })).toEqual([]);
  expect(formsOf(value).length).toBeGreaterThan(8);
});
