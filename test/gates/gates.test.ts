import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const fixtures = path.join(root, 'test/fixtures/gates');
const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-gates-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(command: string, args: string[], cwd = root) {
  const bin = path.join(root, 'node_modules/.bin');
  const result = spawnSync(path.join(bin, command), args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` },
  });
  return { code: result.status, output: `${result.stdout}${result.stderr}` };
}

const boundaries = (tree: string) => run('node', ['scripts/check-boundaries.mjs', tree]);

describe('boundaries', () => {
  test('a clean tree passes', () => {
    expect(boundaries(path.join(fixtures, 'clean'))).toMatchObject({ code: 0 });
  });

  test.each([
    [
      'wrong-arrow',
      'arrow: server/kernel: server/kernel/word.ts -> server/spec/values/sentence.ts',
    ],
    [
      'wrong-folder-arrow',
      'folder arrow: server/spec/values: server/spec/values/word.ts -> server/spec/rules/rule.ts',
    ],
    [
      'wrong-platform-arrow',
      'folder arrow: server/platform/legs: server/platform/legs/leg.ts -> server/platform/runs/start-run.ts',
    ],
    [
      'wrong-platform-arrow',
      'folder arrow: server/platform/.: server/platform/config.ts -> server/platform/queue/claim.ts',
    ],
    [
      'wrong-platform-arrow',
      'parts by type only: server/platform/deps.ts -> server/platform/queue/claim.ts',
    ],
    ['cycle', 'no cycle: server/kernel/one.ts -> server/kernel/two.ts'],
    ['wrong-feature', 'no way into another feature: renderer/features/a/page.ts'],
  ])('%s fails and is named', (tree, message) => {
    const { code, output } = boundaries(path.join(fixtures, tree));
    expect(output).toContain(message);
    expect(code).toBe(1);
  });

  test('a table of folders whose arrows lead back is told', async () => {
    const { backArrows } = await import(path.join(root, '.dependency-cruiser.mjs'));
    expect(backArrows({ low: [], high: ['low'] })).toEqual([]);
    expect(backArrows({ low: ['high'], high: ['low'] })).toEqual([
      'low names high, which does not stand above it',
    ]);
  });

  test('modules that the checker does not read fail it', () => {
    const tree = path.join(scratch, 'too-few');
    cpSync(path.join(fixtures, 'clean'), tree, { recursive: true });
    mkdirSync(path.join(tree, 'server/kernel/node_modules/hidden'), { recursive: true });
    writeFileSync(path.join(tree, 'server/kernel/node_modules/hidden/a.ts'), 'export {};\n');
    const { code, output } = boundaries(tree);
    expect(output).toContain('too few modules: 1 of 3 not read');
    expect(code).toBe(1);
  });

  test('a file outside of every room fails it', () => {
    const tree = path.join(scratch, 'homeless');
    cpSync(path.join(fixtures, 'clean'), tree, { recursive: true });
    mkdirSync(path.join(tree, 'server/helpers'));
    writeFileSync(path.join(tree, 'server/helpers/a.ts'), 'export const a = 1;\n');
    const { code, output } = boundaries(tree);
    expect(output).toContain('no room: server/helpers/a.ts');
    expect(code).toBe(1);
  });

  test('a file outside of every folder of a room that has a table of them fails it', () => {
    const tree = path.join(scratch, 'loose');
    cpSync(path.join(fixtures, 'clean'), tree, { recursive: true });
    writeFileSync(path.join(tree, 'server/spec/a.ts'), 'export const a = 1;\n');
    const { code, output } = boundaries(tree);
    expect(output).toContain('no folder: server/spec/a.ts');
    expect(code).toBe(1);
  });
});

test('Node and browser globals do not compile in a pure room', () => {
  const { code, output } = run('tsc', ['-p', path.join(fixtures, 'pure'), '--pretty', 'false']);
  expect(code).not.toBe(0);
  for (const name of ["'node:fs'", "'process'", "'document'", "'setTimeout'", "'fetch'"]) {
    expect(output).toContain(name);
  }
});

test('an unused export fails knip', () => {
  const config = ['--config', path.join(root, 'knip.json'), '--no-progress', '--no-config-hints'];
  const tree = path.join(scratch, 'unused');
  cpSync(path.join(fixtures, 'unused'), tree, { recursive: true });
  const wrong = run('knip', [...config, '--directory', tree]);
  expect(wrong.output).toContain('unused');
  expect(wrong.code).toBe(1);
  writeFileSync(path.join(tree, 'server/kernel/words.ts'), 'export function used(): void {}\n');
  expect(run('knip', [...config, '--directory', tree])).toMatchObject({ code: 0 });
});

test('a format error and a lint error each fail the linter', () => {
  const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'));
  const biome = (file: string | undefined) => {
    const tree = mkdtempSync(path.join(scratch, 'format-'));
    writeFileSync(
      path.join(tree, 'biome.json'),
      JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }),
    );
    writeFileSync(path.join(tree, 'fine.ts'), "export const word = 'single';\n");
    if (file !== undefined) cpSync(path.join(fixtures, 'format', file), path.join(tree, file));
    return run('biome', ['ci', '--colors=off', 'fine.ts', ...(file ? [file] : [])], tree);
  };
  expect(biome(undefined)).toMatchObject({ code: 0 });
  const format = biome('badly-formatted.ts');
  expect(format.output).toContain('badly-formatted.ts format');
  expect(format.code).toBe(1);
  const lint = biome('badly-linted.ts');
  for (const rule of ['noExplicitAny', 'noConsole', 'noNonNullAssertion']) {
    expect(lint.output).toContain(rule);
  }
  expect(lint.code).toBe(1);
  const writes = biome('own-write.ts');
  expect(writes.output.match(/server\/files\/durable-write\.ts/g)).toHaveLength(5);
  expect(writes.code).toBe(1);
});

test('what is decided by the words of a sentence, or handed on by who asks, fails', () => {
  const { code, output } = run('node', ['scripts/check-prose.mjs', path.join(fixtures, 'prose')]);
  const words = 'decided by the words of a sentence';
  expect(output.trim().split('\n')).toEqual([
    `wrong.ts:10: ${words}`,
    `wrong.ts:11: ${words}`,
    `wrong.ts:12: ${words}`,
    `wrong.ts:13: ${words}`,
    ...[27, 31, 32, 33, 34, 35, 36].map((line) => `wrong.ts:${line}: ${words}`),
    'wrong.ts:5: handed on beside the call, by who is asking',
  ]);
  expect(code).toBe(1);
});

test('a file over 400 lines fails', () => {
  const tree = mkdtempSync(path.join(scratch, 'sizes-'));
  const sizes = () => run('node', ['scripts/check-sizes.mjs', tree]);
  writeFileSync(path.join(tree, 'long.ts'), '\n'.repeat(400));
  mkdirSync(path.join(tree, 'fixtures'));
  writeFileSync(path.join(tree, 'fixtures/long.ts'), '\n'.repeat(900));
  expect(sizes()).toMatchObject({ code: 0 });
  writeFileSync(path.join(tree, 'long.test.ts'), '\n'.repeat(401));
  expect(sizes()).toEqual({ code: 1, output: 'long.test.ts: 401 lines, at most 400\n' });
});

describe('one door to SQL', () => {
  const door = (tree: string) => run('node', ['scripts/check-sql.mjs', path.join(fixtures, tree)]);

  test('repositories, files named for SQLite, the store and transactions pass', () => {
    expect(door('sql-clean')).toEqual({ code: 0, output: '' });
  });

  test('a query outside of a repository and what only SQLite does are told with their place', () => {
    const query = (line: number, what: string) =>
      `server/notes/use-case.ts:${line}: SQL belongs in a file *-repository.ts: ${what}`;
    const dialect = (place: string, what: string) =>
      `server/notes/${place}: only SQLite does this, it belongs in a file *-sqlite.ts: ${what}`;
    const { code, output } = door('sql-wrong');
    expect(output.trimEnd().split('\n').sort()).toEqual(
      [
        'server/notes/compact-sqlite.ts: not listed in ARCHITECTURE.md',
        dialect('notes-repository.ts:2', 'json_each'),
        dialect('notes-repository.ts:3', 'INDEXED BY'),
        dialect('notes-repository.ts:4', 'INSERT OR'),
        query(1, 'imports kysely'),
        query(2, 'imports ../store/sync-query.ts'),
        query(5, 'calls selectFrom'),
        query(6, 'makes a query'),
        query(6, 'DELETE FROM'),
        query(7, 'calls sqlite.prepare'),
        dialect('use-case.ts:8', 'calls pragma'),
        query(9, 'SELECT id'),
      ].sort(),
    );
    expect(code).toBe(1);
  });
});

test('a citation that leads nowhere is told with its place', () => {
  const tree = path.join(scratch, 'citations');
  mkdirSync(path.join(tree, 'docs/contract'), { recursive: true });
  mkdirSync(path.join(tree, 'docs/decisions'));
  const write = (file: string, text: string) => writeFileSync(path.join(tree, file), text);
  const citations = () => run('node', ['scripts/check-citations.mjs', tree]);
  write('docs/contract/platform.md', '# Platform\n## 3. Bodies\n### 3.4 Metadata\n');
  write('docs/contract/decisions.md', '# Decided\n8. Functions\n');
  write('docs/decisions/0007-recordings.md', '# 0007\n');
  write('docs/requirements.md', '| id |\n| RP-001 | rule |\n');
  write('code.ts', '// platform.md 3, 3.4; decisions 8; decision record 0007; RP-001\n');
  expect(citations()).toEqual({ code: 0, output: '' });
  write(
    'code.ts',
    '// platform.md 3 and 3.5\n// decisions 9, spec-v1 1\n// record 0008, RP-002, issue 4\n',
  );
  expect(citations()).toEqual({
    code: 1,
    output: [
      'code.ts:1: "platform 3.5" leads nowhere',
      'code.ts:2: "spec-v1 1" leads nowhere',
      'code.ts:2: "decisions 9" leads nowhere',
      'code.ts:3: "record 0008" leads nowhere',
      'code.ts:3: "RP-002" leads nowhere',
      'code.ts:3: "issue 4" leads nowhere',
      '',
    ].join('\n'),
  });
});

test('a requirement without proof, a proof of what is not built and a stale page are told', () => {
  const tree = path.join(scratch, 'requirements');
  mkdirSync(path.join(tree, 'docs'), { recursive: true });
  mkdirSync(path.join(tree, 'test/gates'), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(path.join(tree, file), text);
  const page = (file: string) => readFileSync(path.join(tree, file), 'utf8');
  const script = (...words: string[]) => run('node', ['scripts/requirements.mjs', tree, ...words]);
  const table = ['| id | requirement | spec | contract |', '|---|---|---|---|'];
  const rows = ['RP-001', 'RP-002', 'RP-003', 'AS-001', 'AS-002', 'OD-001', 'OD-002'];
  const all = [...table, ...rows.map((id) => `| ${id} | rule | 1 | p 1 |`), ''].join('\n');
  write('docs/requirements.md', all);
  write('docs/not-built.yaml', 'RP-003: sign-in\n');
  mkdirSync(path.join(tree, 'renderer/app'), { recursive: true });
  write('renderer/app/some-routes.tsx', "createRoute({ path: '/runs' });");
  write('docs/screens.yaml', 'OD-001: /runs (a part)\nOD-002: none (a program asks)\n');
  write(
    'test/a.test.ts',
    [
      "test('a run ends (RP-001 to RP-002)', () => {});",
      "test.each([['AS-001: a row', 1]])('%s', () => {});",
      'describe(`AS-002 of a kind`, () => {});',
      "const KINDS = [{ name: 'filters (OD-001)' }];",
      '// OD-002 in a comment is no proof',
      "const noTitle = 'OD-002';",
    ].join('\n'),
  );
  write('test/gates/b.test.ts', "test('OD-002 of a gate', () => {});");
  const unproved =
    'OD-002: no test names it and docs/not-built.yaml does not say what is missing\n';
  const stale = 'docs/requirements.md is stale: node scripts/requirements.mjs writes it\n';
  expect(script('--check')).toEqual({ code: 1, output: unproved + stale });
  expect(page('docs/requirements.md')).toBe(all);
  expect(script()).toEqual({ code: 1, output: unproved });
  expect(script('--check')).toEqual({ code: 1, output: unproved });
  write('docs/not-built.yaml', 'RP-003: sign-in\nOD-002: a screen\n');
  expect(script()).toEqual({ code: 0, output: '' });
  expect(script('--check')).toEqual({ code: 0, output: '' });
  expect(page('docs/requirements.md').split('\n').slice(2, -1)).toEqual([
    '| RP-001 | rule | 1 | p 1 | a.test.ts |',
    '| RP-002 | rule | 1 | p 1 | a.test.ts |',
    '| RP-003 | rule | 1 | p 1 | not built: sign-in |',
    '| AS-001 | rule | 1 | p 1 | a.test.ts |',
    '| AS-002 | rule | 1 | p 1 | a.test.ts |',
    '| OD-001 | rule | 1 | p 1 | a.test.ts |',
    '| OD-002 | rule | 1 | p 1 | not built: a screen |',
  ]);
  write('docs/not-built.yaml', 'RP-001: runs\nRP-003: sign-in\nOD-002: a screen\nXX-001: x\n');
  expect(script('--check')).toEqual({
    code: 1,
    output: [
      'RP-001: docs/not-built.yaml says it is not built, a.test.ts names it',
      'XX-001: docs/not-built.yaml names no row of docs/requirements.md',
      stale,
    ].join('\n'),
  });
  write('docs/not-built.yaml', 'RP-003: sign-in\nOD-002: a screen\n');
  write('docs/screens.yaml', 'OD-001: /runs, /nowhere\nXX-001: none\n');
  expect(script('--check')).toEqual({
    code: 1,
    output: [
      'OD-001: the window has no page /nowhere',
      'OD-002: docs/screens.yaml does not say where it is met',
      'XX-001: docs/screens.yaml names no row of docs/requirements.md',
      '',
    ].join('\n'),
  });
});
