import type { ChildProcess, SpawnOptions, StdioOptions } from 'node:child_process';
import { systemCode } from '../kernel/system-code.ts';

/** A command that ends with the service, also when the service is killed. */
export interface GuardedCommand {
  readonly command: string;
  readonly args: string[];
  readonly options: Pick<SpawnOptions, 'detached' | 'windowsHide' | 'stdio'>;
}

/** Whether processes have groups here; elsewhere a command runs by itself. */
const GROUPS = process.platform !== 'win32';

/** What the operating system allows a command and what it starts. */
export interface SystemLimits {
  /** Memory that can be written, in MiB; what V8 reserves without using counts too. */
  readonly dataMb: number;
}

/** The shell's words that set the limits: memory, no core file, no byte in any file. */
function limitWords(limits: SystemLimits): string {
  return `ulimit -d ${limits.dataMb * 1024} && ulimit -c 0 && ulimit -f 0 && `;
}

/**
 * The shell leads a process group. Its guard reads a pipe that only the service holds open: when the
 * service is gone, for whatever reason, the guard kills the group.
 */
function guardScript(fd: number, limits: SystemLimits | undefined): string {
  return [
    `{ read -r _ <&${fd}; kill -KILL 0; } </dev/null >/dev/null 2>&1 &`,
    'guard=$!',
    `exec ${fd}<&-`,
    'unset PWD OLDPWD SHLVL',
    'trap : TERM',
    limits === undefined ? '"$@"' : `(${limitWords(limits)}exec "$@")`,
    'code=$?',
    'kill -KILL $guard',
    'wait $guard 2>/dev/null',
    'exit $code',
  ].join('\n');
}

/**
 * How to spawn a command under guard; `stdio` are the streams of the command itself. Limits hold where
 * processes have groups; macOS takes the one of memory without keeping it.
 */
export function guardedCommand(
  command: string,
  args: readonly string[],
  stdio: readonly ('pipe' | 'ignore')[],
  limits?: SystemLimits,
): GuardedCommand {
  const streams: StdioOptions = [...stdio];
  if (!GROUPS) {
    return { command, args: [...args], options: { windowsHide: true, stdio: streams } };
  }
  return {
    command: '/bin/sh',
    args: ['-c', guardScript(stdio.length, limits), 'guard', command, ...args],
    options: { detached: true, stdio: [...streams, 'pipe'] },
  };
}

/** Signals a guarded command and everything that it started; one that is gone already is fine. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (GROUPS) process.kill(-pid, signal);
    else child.kill(signal);
  } catch (error) {
    const gone = systemCode(error) === 'ESRCH';
    if (!gone) throw error;
  }
}

const GRACE_MS = 200;

/** Ends a guarded command: politely, so that the shell sees its children off, then by force. */
export function endGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const force = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  child.once('exit', () => clearTimeout(force));
}

/** Lets go of the guard's pipe after the command ended, so that its streams can close. */
export function endGuard(child: ChildProcess, streams: number): void {
  child.stdio[streams]?.destroy();
}
