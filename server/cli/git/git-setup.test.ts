// With the real git, on a real repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCli, GREETER } from '../../../test/support/cli.ts';

const HAS_GIT = spawnSync('git', ['--version']).status === 0;
if (!HAS_GIT) process.stderr.write('git-setup is not tested: git is not installed here.\n');

const cli = createCli();
afterAll(() => cli.dispose());

const SPEC = `# the desk
${GREETER}tools:
  ls: {description: List., implementation: os.ls}
  # counts
  wc: {description: Count., implementation: os.wc}
`;

function git(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('git', words, {
    cwd: path.dirname(cli.file('x')),
    encoding: 'utf8',
    env: {
      ...cli.env,
      ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
      ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
    },
  });
  return { status, stdout, stderr };
}

function commit(name: string, text: string): void {
  cli.write(name, text);
  git('add', '-A');
  expect(git('commit', '-q', '-m', name)).toMatchObject({ status: 0 });
}

/** Two branches that changed the file, and the merge of the second into the first. */
function mergeOf(name: string, base: string, ours: string, theirs: string) {
  git('checkout', '-q', 'main');
  commit(name, base);
  git('checkout', '-q', '-b', `other-${name}`);
  commit(name, theirs);
  git('checkout', '-q', 'main');
  commit(name, ours);
  return git('merge', '-q', '--no-edit', `other-${name}`);
}

describe.skipIf(!HAS_GIT)('git-setup', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    expect(git('init', '-q', '-b', 'main')).toMatchObject({ status: 0 });
    cli.write('.gitattributes', '*.png binary\n');
    mkdirSync(cli.file('flows'));
    cli.write('flows/front desk.yaml', SPEC);
    cli.write('notes.yaml', 'not: a spec\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'begin');
    expect(await cli.run(['git-setup'])).toMatchObject({ code: 0 });
  });

  test('says what it writes, keeps what was there, and knows specs of any name', async () => {
    expect(cli.read('.gitattributes')).toContain('*.png binary\n# specwright');
    expect(cli.read('.gitattributes')).toContain('"/flows/front desk.yaml" diff=specwright');
    expect(cli.read('.gitattributes')).not.toContain('notes');
    const shown = await cli.run(['git-setup', '--global', '--dry-run']);
    expect(shown.stdout).toContain('+ merge.specwright.driver = ');
    expect(shown.stdout).toContain('+*.spec.yaml diff=specwright merge=specwright');
    expect(existsSync(path.join(cli.folder, 'config/git/attributes'))).toBe(false);
    const again = await cli.run(['git-setup']);
    expect(again.stdout).toBe('All of it is set up already.\n');
  });

  test('changes beside each other, where git alone has a conflict, are merged', () => {
    const edit = (from: string, to: string) => SPEC.replace(from, to);
    const { status } = mergeOf(
      'near.spec.yaml',
      SPEC,
      edit('List.', 'Show.'),
      edit('os.ls', 'a.ls'),
    );
    expect(status).toBe(0);
    expect(cli.read('near.spec.yaml')).toBe(
      SPEC.replace('List.', 'Show.').replace('os.ls', 'a.ls'),
    );
  });

  test('one thing that both changed is marked, and git knows of the conflict', () => {
    const { status } = mergeOf(
      'same.spec.yaml',
      SPEC,
      SPEC.replace('List.', 'Show.'),
      SPEC.replace('List.', 'Tell.').replace('Count.', 'Sum.'),
    );
    expect(status).toBe(1);
    expect(git('diff', '--name-only', '--diff-filter=U').stdout).toBe('same.spec.yaml\n');
    const text = cli.read('same.spec.yaml');
    expect(text).toContain('<<<<<<< ours\n  ls: {description: Show., implementation: os.ls}\n');
    expect(text).toContain('=======\n  ls: {description: Tell., implementation: os.ls}\n>>>>>>>');
    expect(text).toContain('{description: Sum.');
    git('merge', '--abort');
  });

  test('texts that are no specs are merged by lines, with the marks that git asks for', () => {
    const broken = 'a: [\n\n\nb\n';
    const clean = mergeOf('broken.spec.yaml', broken, broken.replace('a', 'x'), `${broken}c\n`);
    expect(clean.status).toBe(0);
    expect(cli.read('broken.spec.yaml')).toBe('x: [\n\n\nb\nc\n');
  });

  test('a program that is gone leaves the merge to git', () => {
    const driver = git('config', 'merge.specwright.driver').stdout;
    expect(driver).toContain(' merge %O %A %B');
    git(
      'config',
      'merge.specwright.driver',
      driver.trim().replace(/^'[^']*'/, "'/no/such/program'"),
    );
    const { status } = mergeOf(
      'gone.spec.yaml',
      SPEC,
      SPEC.replace('List.', 'Show.'),
      SPEC.replace('List.', 'Tell.'),
    );
    expect(status).toBe(1);
    expect(cli.read('gone.spec.yaml')).toMatch(
      /^<<<<<<< .*\n.*Show\.[\s\S]*Tell\.[\s\S]*^>>>>>>> /m,
    );
    git('merge', '--abort');
    git('config', 'merge.specwright.driver', driver.trim());
  });

  test('git diff says what a change means, then shows its lines', () => {
    cli.write('flows/front desk.yaml', SPEC.replace('List.', 'Show.'));
    const { stdout } = git('diff');
    expect(stdout).toContain('tool "ls": description is "Show.", was "List."');
    expect(stdout).toContain('-  ls: {description: List., implementation: os.ls}');
    cli.write('flows/front desk.yaml', `# more\n${SPEC}`);
    expect(git('diff').stdout).toContain('No change in behaviour');
    cli.write('new.spec.yaml', SPEC);
    git('add', '-AN');
    expect(git('diff', 'new.spec.yaml').stdout).toContain('+# the desk');
    git('reset', '-q');
  });

  test('--remove takes away what it wrote, and nothing else', async () => {
    const { code } = await cli.run(['git-setup', '--remove']);
    expect(code).toBe(0);
    expect(cli.read('.gitattributes')).toBe('*.png binary\n');
    expect(git('config', '--local', '--list').stdout).not.toContain('specwright');
    const again = await cli.run(['git-setup', '--remove']);
    expect(again.stdout).toBe('Nothing of Specwright is set up here.\n');
  });

  test('for all repositories of a person, and back', async () => {
    expect((await cli.run(['git-setup', '--global', '*.flow.yaml'])).code).toBe(0);
    const file = path.join(cli.folder, 'config/git/attributes');
    expect(git('check-attr', 'merge', 'x.flow.yaml').stdout).toContain('merge: specwright');
    expect((await cli.run(['git-setup', '--global', '--remove'])).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});

describe.skipIf(!HAS_GIT)('outside of a work tree', { timeout: 60_000 }, () => {
  test('it says where to go', async () => {
    const lone = createCli();
    const { code, stderr } = await lone.run(['git-setup'], { GIT_CEILING_DIRECTORIES: '/' });
    lone.dispose();
    expect(code).toBe(1);
    expect(stderr).toContain('This folder is in no git work tree.');
  });
});
