// Code that is not where its packages are: it imports them from a folder beside its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { projectTree } from '../../test/support/project-tree.ts';
import { createProjectCode, type ProjectCode } from './project-code.ts';
import type { SandboxMode } from './project-fence.ts';

const CODE = {
  'functions/a.ts': `import { twice } from 'twice';
import old from 'old';
import { readFileSync } from 'node:fs';
export const both = (text: string) => twice(text) + old(text);
export const peek = (file: string) => readFileSync(file, 'utf8');
`,
  'functions/b.ts': "import 'nowhere';\nexport const b = () => 1;\n",
};
const PACKAGES = {
  'functions/node_modules/twice/package.json': '{"type": "module", "exports": "./index.js"}',
  'functions/node_modules/twice/index.js': 'export const twice = (text) => text + text;\n',
  'functions/node_modules/old/package.json': '{"main": "main.js"}',
  'functions/node_modules/old/main.js': "module.exports = require('older');\n",
  'functions/node_modules/older/index.js': "module.exports = (text) => text + '.';\n",
  'functions/secret.txt': 'secret',
};

let code: ProjectCode | undefined;
afterEach(() => code?.close());

const MODES: readonly SandboxMode[] = ['auto', 'off'];

test.each(MODES)(
  'packages of another folder are imported, and nothing else of it is read (%s)',
  async (sandbox) => {
    const root = projectTree(CODE);
    const home = projectTree(PACKAGES);
    const packages = path.join(home, 'functions/node_modules');
    code = createProjectCode({ root, packages, sandbox });
    const call = (file: string, name: string, ...args: unknown[]) =>
      code?.call(
        { file: path.join(root, 'functions', file), name },
        args,
        new AbortController().signal,
      );
    expect(await call('a.ts', 'both', 'x')).toBe('xxx.');
    await expect(call('a.ts', 'peek', path.join(home, 'functions/secret.txt'))).rejects.toThrow(
      /restricted|permission|ENOENT/i,
    );
    await expect(call('b.ts', 'b')).rejects.toThrow(/nowhere/);
  },
);

test('packages with a link that leads out are not used', async () => {
  const root = projectTree(CODE);
  const home = projectTree({ ...PACKAGES, 'outside/index.js': '' });
  const packages = path.join(home, 'functions/node_modules');
  mkdirSync(path.join(packages, 'linked'));
  writeFileSync(path.join(home, 'outside/x.js'), '');
  symlinkSync(path.join(home, 'outside/x.js'), path.join(packages, 'linked/x.js'));
  code = createProjectCode({ root, packages });
  const file = path.join(root, 'functions/a.ts');
  await expect(
    code.call({ file, name: 'both' }, ['x'], new AbortController().signal),
  ).rejects.toThrow(/leads out/);
});
