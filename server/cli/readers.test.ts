// Services whose readers go away (contract: a closed pipe never ends a service).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Cli, createCli, GREETER } from '../../test/support/cli.ts';

const cli: Cli = createCli();
afterAll(() => cli.dispose());

async function firstAddress(child: ChildProcess, key: string | undefined): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return key === undefined ? text.trim() : String(JSON.parse(text)[key]);
}

const SERVICES: readonly (readonly [string[], string | undefined, string])[] = [
  [['service', 'serve', '--port', '0'], undefined, '/healthz'],
  [['dashboard', 'serve', '--port', '0'], undefined, '/api/livez'],
  [['studio', 'serve', '--port', '0'], undefined, '/api/readyz'],
  [
    [
      'serve',
      ...['gateway', 'platform', 'dashboard', 'studio'].flatMap((n) => [`--${n}-port`, '0']),
    ],
    'dashboard',
    '/api/livez',
  ],
];

test.for(SERVICES)(
  '%o goes on when both of its readers are gone',
  { timeout: 60_000 },
  async ([words, key, probe]) => {
    const data = path.join(cli.folder, `data-${words.join('-')}`);
    const child = cli.start([...words, '--data', data], {
      SERV_REQUEST_LOGS: 'true',
      DASH_DEV_MODE: '1',
    });
    const url = await firstAddress(child, key);
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let index = 0; index < 5; index += 1) {
      const answer = await fetch(`${url}${probe}`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      await sleep(20);
    }
    expect(child.exitCode).toBeNull();
    expect(child.signalCode).toBeNull();
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    const logs = path.join(data, 'logs');
    expect(
      readdirSync(logs)
        .map((name) => readFileSync(path.join(logs, name), 'utf8'))
        .join(''),
    ).not.toMatch(/EPIPE/);
  },
);

test('a command ends well with its reader, and one without a reader of its notes goes on', async () => {
  cli.write('greeter.yaml', GREETER);
  const shell = (line: string) => {
    const child = spawn('/bin/bash', ['-c', `set -o pipefail; ${line}`], {
      cwd: path.join(cli.folder, 'work'),
      env: { ...cli.env, NODE: process.execPath, ENTRY: path.resolve('server/cli/index.ts') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return child;
  };
  const headed = shell('"$NODE" "$ENTRY" --help | head -1');
  expect(await once(headed, 'exit')).toEqual([0, null]);
  const noteless = shell(
    '"$NODE" "$ENTRY" run greeter.yaml -i hello --follow 2>&1 >result | head -0',
  );
  await once(noteless, 'exit');
  expect(cli.read('result')).toContain('hello');
}, 60_000);
