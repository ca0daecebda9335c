import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { describeRefusal } from '../../host/host-refusal.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { openDatabase } from '../../store/open-database.ts';
import { PostgresError, toOpenError } from '../../store/postgres-error.ts';
import { toStoreError } from '../../store/store-error.ts';
import type { StudioTables } from '../../store/studio-tables.ts';
import { readStudioConfig } from '../../studio/config.ts';
import {
  LOCAL_PROFILE,
  PlatformConnections,
} from '../../studio/environments/platform-connections.ts';
import { ProjectLocks } from '../../studio/files/project-locks.ts';
import type { HostDeps } from '../../studio/host/host-deps.ts';
import { seedPrincipals } from '../../studio/seed.ts';
import { openExternalStore } from '../../studio/studio-store.ts';
import { UsageFailure } from '../command-failure.ts';
import { printFacts, printJson, printNote } from '../output.ts';

/** What every command of the operator takes. */
export interface OperatorOptions {
  readonly data?: string;
  readonly as?: string;
  readonly json?: boolean;
}

/** An option's value as a number above zero. @throws UsageFailure naming the option. */
export function positiveNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageFailure(`--${option} must be a positive whole number.`);
}

/** Prints what a command of the operator answers; its exit code. */
export function tellFacts(
  { json }: OperatorOptions,
  facts: Readonly<Record<string, unknown>>,
): number {
  if (json) printJson(facts);
  else printFacts(facts);
  return 0;
}

const EXIT_REFUSED = 1;
const EXIT_CANNOT_START = 2;
/** Stands for the installation's own platform, which no command of the operator speaks to. */
const NO_PLATFORM = 'http://127.0.0.1:0';

async function openStudio({ data, as }: OperatorOptions) {
  const folder = chooseDataFolder(data, process.env);
  prepareDataFolder(folder);
  const stateDir = path.join(folder, 'studio');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  chmodSync(stateDir, 0o700);
  const config = readStudioConfig(process.env);
  const clock = systemClock();
  const ids = randomIds();
  const migrations = path.join(findAppFiles().migrations, 'studio');
  const store =
    config.external === undefined
      ? openDatabase<StudioTables>({
          name: 'studio',
          file: path.join(stateDir, 'studio.db'),
          migrations,
          now: () => clock.now(),
        })
      : await openExternalStore(config.external, {
          migrationsDir: migrations,
          clock,
          log: { warn: (_facts, message) => printNote(`specwright: ${message}`) },
        });
  const deps: HostDeps = {
    db: store.db,
    ids,
    config: { ...config, defaultProfile: config.defaultProfile ?? LOCAL_PROFILE },
    locks: new ProjectLocks(),
    connections: new PlatformConnections({
      local: { url: NO_PLATFORM },
      profilesFiles: config.profilesFiles,
      ids,
    }),
    defaultPolicy: () => 'strict',
    timestamp: () => toTimestamp(clock.now()),
    label: as,
  };
  return { deps, close: () => store.close() };
}

function cannotStart(error: unknown): number {
  const told = error instanceof PostgresError ? toOpenError : toStoreError;
  const refused = describeRefusal(told('studio', error));
  if (refused === undefined) throw error;
  printNote(`specwright: ${refused.message}`);
  return EXIT_CANNOT_START;
}

/** The exit code of a command on the files of the studio alone; 2 when they cannot be used. */
export function onStudioFiles(command: () => number): number {
  try {
    return command();
  } catch (error) {
    return cannotStart(error);
  }
}

/**
 * Carries out a command of the operator on the studio's store, which a service may have open too.
 * Exit 1 with `error [code]: …` when it is refused, 2 when the store cannot be opened (studio.md 20).
 */
export async function onStudioStore(
  options: OperatorOptions,
  command: (deps: HostDeps) => Promise<number>,
): Promise<number> {
  let opened: Awaited<ReturnType<typeof openStudio>> | undefined;
  try {
    opened = await openStudio(options);
    await seedPrincipals(opened.deps);
    return await command(opened.deps);
  } catch (error) {
    if (!(error instanceof Refusal)) return cannotStart(error);
    printNote(`error [${error.code}]: ${error.message}`);
    return EXIT_REFUSED;
  } finally {
    await opened?.close();
  }
}
