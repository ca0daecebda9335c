import { execFile } from 'node:child_process';
import { systemCode } from '../../kernel/system-code.ts';

/** What of this process's surroundings git gets; nothing that names a repository or a program. */
const KEPT = ['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
/** Where people keep the settings of their git; these say which repositories of others they trust. */
const HOMES = ['HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'ProgramData'];
const TIME_LIMIT_MS = 10_000;

/** Nothing is fetched, asked for, locked or replaced, whatever a repository says. */
const ALWAYS = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_PAGER: 'cat',
};

function taken(names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

export interface GitCall {
  /** A folder of our own; git is never started in the folder of a project. */
  readonly cwd: string;
  /** With the settings of the person and of the machine; else with none. */
  readonly settings: 'own' | 'none';
  readonly env?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
}

export type GitAnswer =
  | { readonly state: 'answered'; readonly bytes: Buffer; readonly text: string }
  /** `problem` is for deciding, never for showing: it may quote files. */
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'no_program' };

/** Asks the installed git, without a shell. Whoever takes longer than ten seconds is ended. */
export function runGit(words: readonly string[], call: GitCall): Promise<GitAnswer> {
  const { cwd, settings, maxBytes = 16 * 1024 * 1024 } = call;
  const none = { HOME: cwd, USERPROFILE: cwd, XDG_CONFIG_HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const env = {
    ...taken(KEPT),
    ...(settings === 'own' ? taken(HOMES) : none),
    ...ALWAYS,
    ...call.env,
  };
  return new Promise((resolve) => {
    execFile(
      'git',
      [...words],
      {
        cwd,
        env,
        encoding: 'buffer',
        maxBuffer: maxBytes,
        timeout: TIME_LIMIT_MS,
        killSignal: 'SIGKILL',
        shell: false,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve({ state: 'answered', bytes: stdout, text: stdout.toString('utf8') });
        } else if (systemCode(error) === 'ENOENT' || systemCode(error) === 'EACCES') {
          resolve({ state: 'no_program' });
        } else {
          resolve({ state: 'failed', problem: stderr.toString('utf8') });
        }
      },
    );
  });
}
