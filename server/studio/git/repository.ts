// biome-ignore lint/style/noRestrictedImports: a folder of its own that ends with the question.
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { type GitSettings, parseSettings } from './parse-git.ts';
import { type GitAnswer, runGit } from './run-git.ts';

/*
 * A folder that somebody hands over may hold a repository whose settings, attributes and hooks name
 * programs. Git is asked there only where things stand, which runs nothing of it. All else is asked
 * with a repository of our own in between: it has none of those settings, and shares the objects and
 * the index of theirs.
 */

const MAX_EXCLUDES = 1_048_576;
const ID = /^[0-9a-f]{40,64}$/;

/** A repository whose work tree holds a folder. */
export interface Repository {
  /** Folder of the work tree. */
  readonly top: string;
  /** From there to the project's folder, empty or with a slash at its end. */
  readonly prefix: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Id of the commit; null before the first one. */
  readonly head: string | null;
  readonly branch: string | null;
  readonly settings: GitSettings;
}

export type RepositoryState =
  | { readonly state: 'ready'; readonly repository: Repository }
  | { readonly state: 'no_repository' | 'no_program' | 'not_trusted' | 'unreadable' };

/** The nearest folder, from `folder` upwards, that holds `.git`. */
async function topOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await stat(path.join(at, '.git')).catch(() => undefined);
    if (found !== undefined) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

function refused(answer: Exclude<GitAnswer, { state: 'answered' }>): RepositoryState {
  if (answer.state === 'no_program') return answer;
  return {
    state: answer.problem.includes('dubious ownership') ? 'not_trusted' : 'unreadable',
  };
}

function line(answer: GitAnswer): string | null {
  const text = answer.state === 'answered' ? answer.text.trim() : '';
  return text === '' ? null : text;
}

/** Where the repository of a folder stands and what it says of itself. `cwd` is a folder of ours. */
async function ask(root: string, top: string, cwd: string): Promise<RepositoryState> {
  const words = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${cwd}`, '-C', root];
  const there = (...more: string[]) => runGit([...words, ...more], { cwd, settings: 'own' });
  const places = await there(
    'rev-parse',
    '--show-toplevel',
    '--absolute-git-dir',
    '--git-common-dir',
  );
  if (places.state !== 'answered') return refused(places);
  const [shown = '', gitDir = '', common = ''] = places.text.split('\n');
  // A work tree elsewhere, as a setting can say, is none of the project.
  if ((await realpath(shown).catch(() => undefined)) !== top) return { state: 'no_repository' };
  const [config, head, branch] = await Promise.all([
    there('config', '--list', '-z'),
    there('rev-parse', '--verify', '--quiet', 'HEAD'),
    there('symbolic-ref', '--short', '--quiet', 'HEAD'),
  ]);
  if (config.state !== 'answered') return refused(config);
  const id = line(head);
  const inside = path.relative(top, root).split(path.sep).join('/');
  return {
    state: 'ready',
    repository: {
      top,
      prefix: inside === '' ? '' : `${inside}/`,
      gitDir,
      commonDir: path.resolve(root, common),
      head: id !== null && ID.test(id) ? id : null,
      branch: line(branch),
      settings: parseSettings(config.text),
    },
  };
}

async function ownExcludes({ commonDir }: Repository): Promise<string> {
  const file = path.join(commonDir, 'info', 'exclude');
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > MAX_EXCLUDES) return '';
  return readFile(file, 'utf8').catch(() => '');
}

function excludesFile({ settings }: Repository): string {
  const home = homedir();
  const usual = path.join(
    process.env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'),
    'git',
    'ignore',
  );
  const named = settings.excludesFile ?? usual;
  return named.startsWith('~/') ? path.join(home, named.slice(2)) : named;
}

/** A repository of our own at `folder` that stands for `repository`. */
async function writeStandIn(folder: string, repository: Repository): Promise<void> {
  const isNew = repository.settings.objectFormat === 'sha256';
  const format = isNew
    ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n'
    : '';
  await Promise.all(['objects', 'refs', 'info'].map((name) => mkdir(path.join(folder, name))));
  await Promise.all([
    writeFile(path.join(folder, 'HEAD'), `${repository.head ?? 'ref: refs/heads/none'}\n`),
    writeFile(path.join(folder, 'config'), `[core]\n${format}`),
    writeFile(path.join(folder, 'info', 'exclude'), await ownExcludes(repository)),
  ]);
}

/** Asks about a work tree through the stand-in: nothing that its repository names is run or fetched. */
export type AskRepository = (
  words: readonly string[],
  options?: { readonly maxBytes?: number },
) => Promise<GitAnswer>;

function through(folder: string, repository: Repository): AskRepository {
  const settings = [
    ...repository.settings.plain,
    `core.excludesFile=${excludesFile(repository)}`,
    `core.hooksPath=${folder}`,
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.safecrlf=false',
    'core.quotePath=false',
    'protocol.allow=never',
    'gc.auto=0',
  ];
  const before = [...settings.flatMap((setting) => ['-c', setting]), '-C', repository.top];
  const env = {
    GIT_DIR: folder,
    GIT_WORK_TREE: repository.top,
    GIT_INDEX_FILE: path.join(repository.gitDir, 'index'),
    GIT_OBJECT_DIRECTORY: path.join(repository.commonDir, 'objects'),
  };
  return (words, options = {}) =>
    runGit([...before, ...words], { cwd: folder, settings: 'none', env, ...options });
}

/** What `use` makes of the repository around a folder; the state alone where there is none to ask. */
export async function inRepository<T>(
  folder: string,
  use: (repository: Repository, ask: AskRepository) => Promise<T>,
): Promise<{ state: Exclude<RepositoryState['state'], 'ready'> } | { state: 'ready'; value: T }> {
  const root = await realpath(folder);
  const top = await topOf(root);
  if (top === undefined) return { state: 'no_repository' };
  const own = await mkdtemp(path.join(tmpdir(), 'specwright-git-'));
  try {
    const found = await ask(root, top, own);
    if (found.state !== 'ready') return found;
    await writeStandIn(own, found.repository);
    return { state: 'ready', value: await use(found.repository, through(own, found.repository)) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
