import { findAppFiles } from '../host/app-root.ts';
import { serviceDoors } from '../host/embedded-doors.ts';
import { createHostLog } from '../host/host-log.ts';
import { describeRefusal } from '../host/host-refusal.ts';
import { readHostSettings, type ServeOptions } from '../host/host-settings.ts';
import { EXIT_REFUSED, type ReadyMessage } from '../host/protocol.ts';
import { openShellLink, type ShellLink } from '../host/shell-link.ts';
import { type RunningHost, startServices } from '../host/start-services.ts';
import { Refusal } from '../kernel/refusal.ts';
import { randomIds, systemClock } from '../runtime/system-clock.ts';
import { endProcess } from './end-process.ts';
import { printLine, printNote } from './output.ts';
import { outliveReaders } from './readers.ts';

async function refuse(error: unknown, link: ShellLink | undefined): Promise<never> {
  const refused = describeRefusal(error) ?? {
    reason: 'other' as const,
    message: `The start failed: ${error instanceof Error ? error.message : String(error)}`,
  };
  printNote(`specwright: ${refused.message.replaceAll('\n', ' ')}`);
  await link?.send({ type: 'refused', ...refused });
  process.exit(EXIT_REFUSED);
}

function stopOnRequest(host: RunningHost, link: ShellLink | undefined): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    host.log.info({}, 'stopping');
    void host.stop().finally(() => void endProcess(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  link?.onStop(stop);
}

function openFolders(host: RunningHost, link: ShellLink): void {
  link.onFolder(({ id, folder }) => {
    const answer = { type: 'folder', id } as const;
    host.openFolder(folder).then(
      (opened) => link.send({ ...answer, ...opened, problem: null }),
      (error: unknown) => {
        host.log.warn({ err: error }, 'a folder was not opened');
        const problem = error instanceof Refusal ? error.message : 'The folder was not opened.';
        return link.send({ ...answer, project_id: null, known: false, problem });
      },
    );
  });
}

function endOnDefect(host: RunningHost): void {
  const end = (error: unknown) => {
    host.log.error({ err: error }, 'unexpected failure, the services end');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/**
 * `specwright serve`: exactly one JSON line on standard output when every listener answers, logs
 * and the one-time link on standard error, exit 0 after SIGTERM, exit 3 when the start is refused.
 */
export async function serve(options: ServeOptions): Promise<void> {
  outliveReaders();
  const link = openShellLink();
  let host: RunningHost;
  try {
    host = await startServices(readHostSettings(options, process.env), {
      doors: serviceDoors,
      files: findAppFiles(),
      clock: systemClock(),
      ids: randomIds(),
      log: createHostLog,
      askSystem: link?.askProxy,
      onStoreStep: (step) => void link?.send({ type: 'store_step', step }),
    });
  } catch (error) {
    return refuse(error, link);
  }
  endOnDefect(host);
  stopOnRequest(host, link);
  if (link !== undefined) openFolders(host, link);
  const ready: Omit<ReadyMessage, 'type' | 'node'> = { ...host.urls, pid: process.pid };
  const line = { ready: true, ...ready, ...(host.keyFile && { key_file: host.keyFile }) };
  printLine(JSON.stringify(line));
  host.log.release(process.env['SPECWRIGHT_LOG'] === 'file' ? 'file' : 'stderr');
  if (link === undefined) {
    printNote(
      `Open the workbench with this link (it works once; "specwright link" gives another):\n${host.gateway.signInLink()}`,
    );
  }
  await link?.send({ type: 'ready', ...ready, node: process.versions.node });
}
