import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connectionsFile, type StoredConnection } from '../contract/gateway/connections.ts';
import type { ConnectionBook } from '../gateway/remotes/remotes.ts';
import { systemCode } from '../kernel/system-code.ts';
import { HostRefusal } from './host-refusal.ts';
import { writePrivateFile } from './private-file.ts';

function readBook(file: string): readonly StoredConnection[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new HostRefusal(
      'configuration',
      `connections.json of the data folder cannot be read (${systemCode(error) ?? 'unknown error'}).`,
    );
  }
  try {
    return connectionsFile.parse(JSON.parse(text)).connections;
  } catch {
    throw new HostRefusal(
      'configuration',
      'connections.json of the data folder is damaged, or a later version wrote it. Mend it, or move it away: the connections have to be added again then.',
    );
  }
}

/** The connections of a data folder. Its lock keeps other programs from writing them. */
export function openConnectionBook(dataFolder: string): ConnectionBook {
  const file = path.join(dataFolder, 'connections.json');
  let held = readBook(file);
  return {
    read: () => held,
    write(connections) {
      const json = { version: 1, connections };
      writePrivateFile(file, `${JSON.stringify(json, null, 2)}\n`);
      held = connections;
    },
  };
}
