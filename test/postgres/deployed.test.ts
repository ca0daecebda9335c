// The processes of docs/deploy/compose.yaml, started by its words and variables on this machine: with a
// real PostgreSQL and a real identity provider, and without containers, proxy and https.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { composeProcesses, type DeployedProcess } from '../support/deployment.ts';
import {
  type IdentityProvider,
  OIDC_CLIENT,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { databasesOf } from '../support/postgres-server.ts';
import { studioProviderFile, writePrivate } from '../support/team-server.ts';

const owner = inject('postgres');
const server = databasesOf(owner);
const SECRET = 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g';
const SPEC = 'version: v1\nagent: {name: greeter, model: {provider: dummy, name: d}}\n';
const VALUES = {
  ...{ DOMAIN: 'specwright.example', SPECS_FOLDER: '/nowhere', EVENTS_KEY: SECRET },
  ...{
    DASHBOARD_KEY: 'key-of-the-dashboard',
    STUDIO_KEY: 'key-of-the-studio',
    CI_KEY: 'key-of-ci',
  },
  ...{ SESSION_SECRET: SECRET, DASHBOARD_CLIENT_SECRET: OIDC_CLIENT.secret },
};
const processes = composeProcesses(VALUES);

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

let cli: Cli;
let provider: IdentityProvider;
const databases: Record<string, string> = {};
const running: Record<string, Running> = {};

/** The variables of a process with the addresses of this machine in the place of those of the file. */
function localEnv({ env }: DeployedProcess): Record<string, string> {
  const issuer = provider.issuer;
  const here = (name: string, value: string): string => {
    const database = /@database\/(\w+)/.exec(value)?.[1];
    if (database !== undefined) return databases[database] ?? '';
    if (name === 'DASH_OIDC_ISSUER') return issuer;
    if (name === 'DASH_OIDC_CLIENT_ID') return OIDC_CLIENT.id;
    if (name === 'SERV_SPEC_ROOT') return path.join(cli.folder, 'specs');
    if (name === 'STUDIO_OIDC_PROVIDER_FILE') {
      const file = path.join(cli.folder, 'provider.json');
      return writePrivate(file, studioProviderFile(issuer, 'https://studio.specwright.example'));
    }
    return value;
  };
  const own = Object.entries(env).map(([name, value]) => [name, here(name, value)]);
  return { ...Object.fromEntries(own), SPECWRIGHT_HOME: '' };
}

async function start(one: DeployedProcess): Promise<Running> {
  const words = one.words.map((word) => (word === 'http://api:8000' ? url('api') : word));
  const data = path.join(cli.folder, one.name);
  const child = cli.start([...words, '--port', '0', '--data', data], localEnv(one));
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('exit', (code) => reject(new Error(`${one.name} ended with ${code}: ${said}`)));
  });
  // It is bound to every address of this machine.
  return { child, url: address.replace('0.0.0.0', '127.0.0.1') };
}

function url(name: string): string {
  return running[name]?.url ?? '';
}

const ask = (name: string, where: string, key?: string, body?: unknown) =>
  fetch(`${url(name)}${where}`, {
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

beforeAll(async () => {
  cli = createCli();
  mkdirSync(path.join(cli.folder, 'specs'));
  writeFileSync(path.join(cli.folder, 'specs', 'greet.yaml'), SPEC);
  for (const name of ['platform', 'dashboard', 'studio']) {
    databases[name] = await server.createDatabase();
  }
  provider = await startIdentityProvider(
    [
      'https://studio.specwright.example/studio/api/session/oidc/callback',
      'https://dashboard.specwright.example/api/callback',
    ],
    [{ id: 'ada', claims: { roles: ['viewer'] } }],
  );
  for (const one of processes) running[one.name] = await start(one);
}, 120_000);

afterAll(async () => {
  cli.dispose();
  await provider.close();
});

test('every process of the file is ready by its own probe', async () => {
  expect(Object.keys(running)).toEqual(['api', 'worker-1', 'worker-2', 'dashboard', 'studio']);
  for (const { name, probes } of processes) {
    const answer = await ask(name, probes[0]?.path ?? '');
    expect([name, answer.status]).toEqual([name, 200]);
  }
});

test('nobody gets in without a key or a sign-in, and a sign-in at the provider shows what the platform has', async () => {
  expect((await ask('api', '/v1/runs')).status).toBe(401);
  expect((await ask('dashboard', '/api/runs')).status).toBe(401);
  expect((await ask('studio', '/api/projects')).status).toBe(401);
  const cookies = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0] ?? '')
      .join('; ');
  const login = await ask('dashboard', '/api/login');
  const back = new URL(await provider.signIn(login.headers.get('location') ?? '', 'ada'));
  expect(back.origin).toBe('https://dashboard.specwright.example');
  const here = `${url('dashboard')}${back.pathname}${back.search}`;
  const signed = await fetch(here, { redirect: 'manual', headers: { cookie: cookies(login) } });
  const listed = await fetch(`${url('dashboard')}/api/runs`, {
    headers: { cookie: cookies(signed) },
  });
  expect([listed.status, (await listed.json()).total]).toEqual([200, 0]);
});

test('a run is asked for at the node that answers, made by those that execute, and a stopped one is missed by none', async () => {
  const run = async (key: string) => {
    const made = await ask('api', '/v1/specs/run', key, {
      spec_path: 'greet.yaml',
      input: 'hello',
    });
    const body = await made.json();
    expect(made.status, JSON.stringify(body)).toBe(200);
    return body.run_id as string;
  };
  const first = await run(VALUES.CI_KEY);
  const told = await ask('api', `/v1/runs/${first}`, VALUES.DASHBOARD_KEY);
  expect([told.status, (await told.json()).status]).toEqual([200, 'completed']);
  const elsewhere = await ask('worker-1', `/v1/runs/${first}`, VALUES.DASHBOARD_KEY);
  expect(elsewhere.status).toBe(404);
  const { child } = running['worker-1'] ?? {};
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await run(VALUES.CI_KEY)).not.toBe(first);
});

test('a second studio on the database is refused', async () => {
  const studio = processes.find(({ name }) => name === 'studio');
  if (studio === undefined) throw new Error('there is a studio');
  await expect(start({ ...studio, name: 'studio-2' })).rejects.toThrow(
    /ended with 3.*in use by another process/s,
  );
});
