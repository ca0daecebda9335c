// What models, specs and remote platforms say reaches a terminal as text, never as commands of it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createCli } from '../../test/support/cli.ts';
import { showControls } from '../kernel/terminal-text.ts';

const EVIL = 'ok\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31m\u007f\u202egnp.exe\r hidden';
const CONTROLS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u;
const cli = createCli();
afterAll(() => cli.dispose());

const SPEC = `version: v1
agent: {name: greeter, system_prompt: You greet.}
workflow:
  type: sequential
  name: ${showControls(JSON.stringify(EVIL))}
  steps: [{id: draft, kind: agent, ref: writer}, {id: check, kind: human, ref: boss}]
components:
  agents: {writer: {name: writer, system_prompt: You write.}}
  humans: {boss: {description: ${showControls(JSON.stringify(EVIL))}, request_type: approval}}
`;

test('a run, its lists and its task show what a spec and an input hold, and obey none of it', async () => {
  cli.write('evil.yaml', SPEC);
  const run = await cli.run(['run', 'evil.yaml', '-i', EVIL, '--follow']);
  const runId = /run (\S+) waits/.exec(run.stdout)?.[1] ?? '';
  const task = /human resume (\S+)/.exec(run.stdout)?.[1] ?? '';
  const said = [
    run,
    await cli.run(['runs', 'list']),
    await cli.run(['runs', 'get', runId]),
    await cli.run(['runs', 'trace', runId]),
    await cli.run(['runs', 'checkpoint-diff', runId]),
    await cli.run(['human', 'list']),
    await cli.run(['human', 'get', task]),
    await cli.run(['spec', 'explain', 'evil.yaml']),
    await cli.run(['spec', 'graph', 'evil.yaml']),
    await cli.run([EVIL]),
    await cli.run(['spec', 'validate', `${EVIL}.yaml`]),
  ];
  for (const { stdout, stderr } of said) {
    expect(stdout).not.toMatch(CONTROLS);
    expect(stderr).not.toMatch(CONTROLS);
  }
  expect(said.map(({ stdout }) => stdout).join('')).toContain('\\u001b]0;owned\\u0007');
}, 60_000);

test('JSON stays exact and harmless', async () => {
  cli.write('evil.yaml', SPEC);
  const { stdout, json } = await cli.run(['run', 'evil.yaml', '-i', EVIL, '--json']);
  expect(stdout).not.toMatch(CONTROLS);
  const shown = await cli.run(['runs', 'get', json.run_id, '--json']);
  expect(shown.stdout).not.toMatch(CONTROLS);
  expect(shown.json.workflow_name).toBe(EVIL);
  expect(shown.json.input_text).toBe(EVIL);
}, 60_000);

test('a remote platform cannot steer the terminal by its answers', async () => {
  const server = http.createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: { error: EVIL, message: EVIL } }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const answer = await cli.run(['runs', 'get', 'x', '--service-url', `http://127.0.0.1:${port}`]);
  server.close();
  expect(answer.code).toBe(1);
  expect(answer.stderr).toContain('\\u001b]0;owned');
  expect(answer.stderr).not.toMatch(CONTROLS);
}, 60_000);

test('on a terminal our own colours stay and a file is shown without what it would do', async () => {
  cli.write('evil.yaml', `${SPEC}# \u202e comment\n`);
  const entry = fileURLToPath(new URL('./index.ts', import.meta.url));
  const onTerminal = (words: string): string => {
    const command = `'${process.execPath}' '${entry}' ${words}`;
    const run = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
      cwd: path.join(cli.folder, 'work'),
      env: { ...cli.env, TERM: 'xterm-256color', FORCE_COLOR: '1' },
      encoding: 'utf8',
    });
    return run.stdout.replaceAll('\r\n', '\n');
  };
  const listed = onTerminal('runs list');
  expect(listed).toContain('\u001b[1mRUN');
  expect(listed).toContain('\u001b[33mblocked\u001b[39m');
  const rows = stripVTControlCharacters(listed).split('\n');
  expect(rows[0]?.indexOf('WORKFLOW')).toBe(rows[1]?.indexOf('ok\\u001b'));
  expect(stripVTControlCharacters(listed)).not.toMatch(CONTROLS);
  const shown = onTerminal('spec format evil.yaml');
  expect(shown).toContain('# \\u202e comment');
  expect(shown).not.toMatch(CONTROLS);
  const piped = await cli.run(['spec', 'format', 'evil.yaml']);
  expect(piped.stdout).toContain('# \u202e comment');
}, 60_000);

test('nothing of the command line writes beside the one place that neutralises', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /std(?:out|err)\.write|console\./.test(readFileSync(path.join(folder, file), 'utf8')),
    );
  // index.ts runs on a Node too old for the rest, and says one fixed line.
  expect(writers.sort()).toEqual(['index.ts', 'output.ts']);
});
