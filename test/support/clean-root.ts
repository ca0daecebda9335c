// A root of files that holds nothing but a base system, and the steps of a Containerfile run in it:
// what an image would be, where no container tool exists. Needs root and `chroot`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What the base image has of programs, beside Node. */
const PROGRAMS = ['/bin/sh', '/bin/mkdir', '/bin/chown', '/bin/chmod', '/usr/bin/id'];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The shared libraries of a program, as the loader finds them here. */
function librariesOf(program: string): string[] {
  const told = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...told.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, file]) => file ?? []);
}

/** Makes the base system in a folder, with this Node as `/usr/local/bin/node`. */
function makeBase(root: string, node: string): void {
  for (const folder of ['etc', 'tmp', 'usr/local/bin', 'bin', 'usr/bin', 'dev', 'proc']) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  chmodSync(root, 0o755);
  chmodSync(path.join(root, 'tmp'), 0o1777);
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  const put = (file: string, at = file): void => {
    mkdirSync(path.dirname(path.join(root, at)), { recursive: true });
    copyFileSync(file, path.join(root, at));
  };
  put(node, '/usr/local/bin/node');
  for (const program of PROGRAMS) put(program);
  for (const file of new Set([node, ...PROGRAMS].flatMap(librariesOf))) put(file);
}

/** One instruction of a Containerfile. */
interface Step {
  readonly name: string;
  readonly words: string;
}

function stepsOf(file: string): Step[] {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', words = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, words };
    });
}

/** An image: its files, and how its program is started. */
export interface CleanImage {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  /** What runs without further words. */
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  /** Runs words in the image as its user, with its variables and these. */
  spawn(words: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
}

function listOf(words: string): string[] {
  const list: unknown = JSON.parse(words);
  if (!Array.isArray(list)) throw new Error(`not a list: ${words}`);
  return list.map(String);
}

/** Carries the steps of a Containerfile out over a clean base. @throws for a step it does not know. */
export function buildCleanImage(
  root: string,
  options: { readonly file: string; readonly context: string; readonly node: string },
): CleanImage {
  makeBase(root, options.node);
  const env: Record<string, string> = { PATH };
  const said = new Map<string, string>();
  const ports: string[] = [];
  const volumes: string[] = [];
  const runAsRoot = (script: string): void => {
    execFileSync('chroot', [root, '/bin/sh', '-e', '-c', script], { env });
  };
  for (const { name, words } of stepsOf(options.file)) {
    if (name === 'COPY') {
      const [, from = '', to = ''] = /^--chown=0:0 (\S+) (\S+)$/.exec(words) ?? [];
      if (to === '') throw new Error(`unknown way to copy: ${words}`);
      cpSync(path.join(options.context, from), path.join(root, to), { recursive: true });
      execFileSync('chown', ['-R', '0:0', path.join(root, to)]);
    } else if (name === 'RUN') runAsRoot(words);
    else if (name === 'ENV') {
      for (const [, key = '', value = ''] of words.matchAll(/(\w+)=(\S+)/g)) env[key] = value;
    } else if (name === 'EXPOSE') ports.push(words);
    else if (name === 'VOLUME') volumes.push(words);
    else if (
      ['ARG', 'FROM', 'WORKDIR', 'USER', 'ENTRYPOINT', 'CMD', 'HEALTHCHECK'].includes(name)
    ) {
      said.set(name, words);
    } else throw new Error(`unknown step: ${name}`);
  }
  const user = said.get('USER') ?? '0:0';
  const workdir = said.get('WORKDIR') ?? '/';
  return {
    root,
    env,
    user,
    workdir,
    ports,
    volumes,
    command: [...listOf(said.get('ENTRYPOINT') ?? '[]'), ...listOf(said.get('CMD') ?? '[]')],
    healthcheck: listOf(/CMD (\[.*\])$/.exec(said.get('HEALTHCHECK') ?? '')?.[1] ?? '[]'),
    spawn: (words, more = {}) =>
      spawn(
        'chroot',
        // The shell steps into the folder and becomes the program, which then gets the signals.
        [`--userspec=${user}`, root, '/bin/sh', '-c', `cd ${workdir} && exec "$@"`, 'sh', ...words],
        { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
      ),
  };
}
