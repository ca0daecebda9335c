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
    ['wrong-arrow', 'arrow: server/kernel: server/kernel/word.ts -> server/spec/sentence.ts'],
    ['cycle', 'no cycle: server/kernel/one.ts -> server/kernel/two.ts'],
    ['wrong-feature', 'no way into another feature: renderer/features/a/page.ts'],
  ])('%s fails and is named', (tree, message) => {
    const { code, output } = boundaries(path.join(fixtures, tree));
    expect(output).toContain(message);
    expect(code).toBe(1);
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
});

test('a file over 400 lines fails', () => {
  const tree = mkdtempSync(path.join(scratch, 'sizes-'));
  const sizes = () => run('node', ['scripts/check-sizes.mjs', tree]);
  writeFileSync(path.join(tree, 'long.ts'), '\n'.repeat(400));
  writeFileSync(path.join(tree, 'long.test.ts'), '\n'.repeat(900));
  expect(sizes()).toMatchObject({ code: 0 });
  writeFileSync(path.join(tree, 'long.ts'), '\n'.repeat(401));
  expect(sizes()).toEqual({ code: 1, output: 'long.ts: 401 lines, at most 400\n' });
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
