import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import type { AppInfo, AppMetrics } from '../preload/desktop-api.ts';
import { readSchemas } from './stored-schemas.ts';

/** Facts of the program. The services note what their stores are like; the shell opens none. */
export async function readAppInfo(
  dataFolder: string,
  servicesNode: string | null,
): Promise<AppInfo> {
  const file = path.join(dataFolder, 'program-versions.json');
  const noted = await readFile(file, 'utf8').catch(() => '');
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    services_node: servicesNode,
    schemas: readSchemas(noted),
    data_folder: dataFolder,
  };
}

/** How long the start took, and what the processes hold. */
export function appMetrics(marks: Readonly<Record<string, number>>): AppMetrics {
  const processes = app.getAppMetrics().map((metric) => ({
    type: metric.type,
    name: metric.serviceName ?? metric.name ?? '',
    memory_mib: Math.round(metric.memory.workingSetSize / 1024),
  }));
  return { marks, processes };
}
