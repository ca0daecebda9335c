import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  freshStudios,
  P,
  refused,
  register,
  SPEC,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const WHO = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main'];
const git = (...words: string[]) =>
  execFileSync('git', [...WHO, '-C', studio.root, ...words], { encoding: 'utf8', stdio: 'pipe' });
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'c');
};
const ask = async () => (await studio.call('GET', `${P}/git`)).body;
const marks = async () => {
  await studio.call('GET', `${P}/tree`);
  const { marks: list } = await ask();
  return Object.fromEntries(
    list.map(({ ref, mark }: { ref: string; mark: string }) => [ref, mark]),
  );
};
const head = (ref: string) => studio.call('GET', `${P}/git/head/${encodeURI(ref)}`);

const PATH = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = PATH;
});

test('a folder without a repository has no marks', async () => {
  expect(await ask()).toEqual({ state: 'no_repository', branch: null, head: null, marks: [] });
  write('a.yaml', SPEC);
  await register('a.yaml');
  refused(await head('a.yaml'), 409, 'git_unavailable', { state: 'no_repository' });
});

test('files have the marks that git status gives them', async () => {
  git('init', '--quiet');
  write('kept.yaml', SPEC);
  expect((await ask()).head).toBe(null);
  expect(await marks()).toEqual({ 'kept.yaml': 'untracked' });
  for (const ref of ['changed.yaml', 'fought.yaml', 'mit leer/ä b.yaml']) write(ref, SPEC);
  write('.gitignore', 'out/\n*.tmp.yaml\n');
  commit();
  git('checkout', '--quiet', '-b', 'theirs');
  write('fought.yaml', `${SPEC}# theirs\n`);
  commit();
  git('checkout', '--quiet', 'main');
  write('fought.yaml', `${SPEC}# ours\n`);
  commit();
  expect(() => git('merge', '--quiet', 'theirs')).toThrow();
  write('changed.yaml', `${SPEC}# x\n`);
  write('mit leer/ä b.yaml', `${SPEC}# x\n`);
  write('added.yaml', SPEC);
  git('add', 'added.yaml');
  write('new.yaml', SPEC);
  write('deep/er/new.yaml', SPEC);
  write('deep/er/x.tmp.yaml', SPEC);
  write('out/gen/a.yaml', SPEC);
  expect(await marks()).toEqual({
    'added.yaml': 'added',
    'changed.yaml': 'modified',
    'deep/er/new.yaml': 'untracked',
    'deep/er/x.tmp.yaml': 'ignored',
    'fought.yaml': 'conflicted',
    'mit leer/ä b.yaml': 'modified',
    'new.yaml': 'untracked',
    'out/gen/a.yaml': 'ignored',
  });
  const { state, branch, head: id } = await ask();
  expect([state, branch, id]).toEqual(['ready', 'main', git('rev-parse', 'HEAD').trim()]);
});

test('the project is a folder inside of a work tree, or of a linked one', async () => {
  const above = path.dirname(studio.root);
  execFileSync('git', [...WHO, '-C', above, 'init', '--quiet']);
  write('flows/a.yaml', SPEC);
  execFileSync('git', [...WHO, '-C', above, 'add', 'tree']);
  execFileSync('git', [...WHO, '-C', above, 'commit', '--quiet', '--message', 'c']);
  write('flows/a.yaml', `${SPEC}# x\n`);
  expect(await marks()).toEqual({ 'flows/a.yaml': 'modified' });
  await register('flows/a.yaml');
  expect((await head('flows/a.yaml')).body).toMatchObject({ state: 'text', text: SPEC });
  rmSync(studio.root, { recursive: true });
  execFileSync('git', ['-C', above, 'worktree', 'add', '--quiet', '-b', 'w', studio.root]);
  mkdirSync(path.join(studio.root, 'flows'));
  write('flows/a.yaml', `${SPEC}# y\n`);
  const { body } = await studio.call('GET', `${P}/git`);
  expect([body.state, body.branch]).toEqual(['ready', 'w']);
});

test('a draft is read as HEAD has it', async () => {
  git('init', '--quiet');
  write('a.yaml', SPEC);
  writeFileSync(path.join(studio.root, 'latin.yaml'), Buffer.from([0xff, 0xfe]));
  write('large.yaml', `# ${'x'.repeat(1_048_576)}\n`);
  commit();
  const id = git('rev-parse', 'HEAD').trim();
  write('a.yaml', 'version: v1\n');
  write('new.yaml', SPEC);
  write('latin.yaml', SPEC);
  write('large.yaml', SPEC);
  for (const ref of ['a.yaml', 'new.yaml', 'latin.yaml', 'large.yaml']) await register(ref);
  const text = { head: id, state: 'text', text: SPEC };
  expect((await head('a.yaml')).body).toEqual({ ref: 'a.yaml', ...text });
  const absent = { head: id, state: 'absent', text: null };
  expect((await head('new.yaml')).body).toEqual({ ref: 'new.yaml', ...absent });
  expect((await head('latin.yaml')).body.state).toBe('no_text');
  expect((await head('large.yaml')).body.state).toBe('no_text');
  refused(await head('.git/config'), 404, 'draft_not_found');
});

test('line ends are those of a check-out', async () => {
  git('init', '--quiet');
  git('config', 'core.autocrlf', 'true');
  write('a.yaml', SPEC.replaceAll('\n', '\r\n'));
  commit();
  expect(git('cat-file', 'blob', 'HEAD:a.yaml')).toBe(SPEC);
  await register('a.yaml');
  expect((await head('a.yaml')).body.text).toBe(SPEC.replaceAll('\n', '\r\n'));
  expect(await marks()).toEqual({});
});

test('nothing that a repository names is run', async () => {
  const sign = path.join(studio.folder, 'ran');
  const evil = path.join(studio.folder, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${sign}\ncat\n`);
  chmodSync(evil, 0o755);
  git('init', '--quiet');
  for (const ref of ['a.yaml', 'b.yaml', 'gone.yaml']) write(ref, `${SPEC}# ${ref}\n`);
  commit();
  const lost = git('rev-parse', 'HEAD:gone.yaml').trim();
  const names = [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.askPass',
    'core.sshCommand',
    'core.gitProxy',
    'credential.helper',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'merge.evil.driver',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'remote.origin.uploadpack',
    'alias.status',
    'alias.config',
    'alias.rev-parse',
    'gpg.program',
  ];
  for (const name of names) git('config', name, evil);
  git('config', 'filter.evil.required', 'true');
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'core.repositoryFormatVersion', '1');
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.url', `ext::${evil}`);
  git('config', 'protocol.ext.allow', 'always');
  git('config', 'core.hooksPath', studio.folder);
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
    symlinkSync(evil, path.join(studio.folder, hook));
    rmSync(path.join(studio.root, '.git/hooks', hook), { force: true });
    symlinkSync(evil, path.join(studio.root, '.git/hooks', hook));
  }
  write('.gitattributes', '* filter=evil diff=evil merge=evil ident\n');
  writeFileSync(path.join(studio.root, '.git/info/attributes'), '* filter=evil diff=evil\n');
  const sub = path.join(studio.root, 'sub');
  mkdirSync(sub);
  execFileSync('git', ['-C', sub, 'init', '--quiet']);
  execFileSync('git', ['-C', sub, 'config', 'core.fsmonitor', evil]);
  rmSync(path.join(studio.root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  rmSync(sign, { force: true });
  write('a.yaml', `${SPEC}# x\n`);
  write('b.yaml', SPEC);
  for (const ref of ['a.yaml', 'b.yaml', 'gone.yaml']) await register(ref);
  expect(await marks()).toMatchObject({ 'a.yaml': 'modified' });
  expect((await head('b.yaml')).body.text).toBe(`${SPEC}# b.yaml\n`);
  expect((await head('gone.yaml')).status).toBe(409);
  expect(existsSync(sign)).toBe(false);
  // The same folder does run it where git is asked plainly.
  expect(() => git('status', '--short')).toThrow();
  expect(existsSync(sign)).toBe(true);
});

test('a work tree that a setting puts elsewhere is none of the project', async () => {
  const elsewhere = path.join(studio.folder, 'elsewhere');
  mkdirSync(elsewhere);
  git('init', '--quiet');
  git('config', 'core.worktree', elsewhere);
  expect((await ask()).state).toBe('no_repository');
});

test('git that is not there, and a repository that cannot be read, say so', async () => {
  git('init', '--quiet');
  write('a.yaml', SPEC);
  commit();
  await register('a.yaml');
  process.env['PATH'] = studio.folder;
  expect(await ask()).toEqual({ state: 'no_program', branch: null, head: null, marks: [] });
  refused(await head('a.yaml'), 409, 'git_unavailable', { state: 'no_program' });
  process.env['PATH'] = PATH;
  renameSync(path.join(studio.root, '.git/objects'), path.join(studio.root, '.git/no'));
  expect((await ask()).state).toBe('unreadable');
  refused(await head('a.yaml'), 409, 'git_unavailable');
});

test('5,000 files are told in a moment', { timeout: 60_000 }, async () => {
  git('init', '--quiet');
  for (let n = 0; n < 5000; n += 1) write(`d${n % 50}/f${n}.yaml`, `${SPEC}# ${n}\n`);
  commit();
  for (let n = 0; n < 50; n += 1) write(`d${n}/f${n}.yaml`, `${SPEC}# x\n`);
  expect(Object.keys(await marks())).toHaveLength(50);
  const begun = performance.now();
  expect((await ask()).marks).toHaveLength(50);
  // It takes 60 ms; the limit is for a machine with other work.
  expect(performance.now() - begun).toBeLessThan(2000);
});
