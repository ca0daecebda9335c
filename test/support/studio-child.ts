import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStudioConfig } from '../../server/studio/config.ts';
import { startStudio } from '../../server/studio/service.ts';
import { externalAt } from './chosen-store.ts';

/**
 * A studio in a process of its own, to be killed: prints its address, serves until the end. Its settings
 * are JSON; the last word is the address of the database that holds its state, where it is no file.
 */
const [, , folder = '', settings = '{}', url] = process.argv;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const service = await startStudio({
  config: {
    ...readStudioConfig(JSON.parse(settings)),
    external: url === undefined ? undefined : externalAt(url),
  },
  host: '127.0.0.1',
  port: 0,
  databaseFile: path.join(folder, 'state', 'studio.db'),
  appVersion: '0.1.0',
  stateDir: path.join(folder, 'state'),
  migrationsDir: fileURLToPath(new URL('../../migrations/studio', import.meta.url)),
  projectRoot: path.join(folder, 'tree'),
  trusted: true,
  platform: { url: 'http://127.0.0.1:9' },
  clock: { now: () => Date.now() },
  ids: { uuid: () => randomUUID(), hex: () => randomUUID().replaceAll('-', '') },
  log: silent,
});
process.stdout.write(`${service.url}\n`);
