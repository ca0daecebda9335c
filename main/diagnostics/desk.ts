import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BrowserWindow } from 'electron';
import type { DiagnosticsFile, SavedFile } from '../../preload/desktop-api.ts';
import { appMetrics, readAppInfo } from '../app-info.ts';
import { saveChosenFile } from '../dialogs.ts';
import type { LogFile } from '../log-file.ts';
import type { ServiceSupervisor } from '../service-supervisor.ts';
import type { ShellStateStore } from '../shell-state.ts';
import { bundleName, packDiagnostics } from './bundle.ts';
import { collectDiagnostics } from './collect.ts';

export interface DiagnosticsDeps {
  readonly supervisor: ServiceSupervisor;
  readonly state: ShellStateStore;
  readonly safe: boolean;
  readonly marks: Readonly<Record<string, number>>;
  readonly dataFolder: string;
  readonly logFile: string;
  readonly log: LogFile;
}

export interface DiagnosticsDesk {
  /** Collects anew for a window; that and nothing else is what it can save. */
  collect(window: BrowserWindow): Promise<readonly DiagnosticsFile[]>;
  save(window: BrowserWindow, names: unknown): Promise<SavedFile>;
}

const STORES = ['platform.db', 'dashboard.db', 'studio/studio.db'];

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

function systemFacts(): Readonly<Record<string, unknown>> {
  return {
    platform: process.platform,
    arch: process.arch,
    release: os.release(),
    processors: os.cpus().length,
    memory_mib: Math.round(os.totalmem() / 2 ** 20),
    free_memory_mib: Math.round(os.freemem() / 2 ** 20),
    up_s: Math.round(process.uptime()),
  };
}

export function openDiagnostics(deps: DiagnosticsDeps): DiagnosticsDesk {
  const collected = new WeakMap<BrowserWindow, readonly DiagnosticsFile[]>();
  const { supervisor, dataFolder } = deps;
  return {
    async collect(window) {
      const services = path.join(path.dirname(deps.logFile), 'services.log');
      const stores = STORES.map(async (name) => ({
        name,
        bytes: await sizeOf(path.join(dataFolder, name)),
      }));
      const files = await collectDiagnostics({
        now: new Date(),
        info: await readAppInfo(dataFolder, supervisor.node),
        metrics: appMetrics(deps.marks),
        system: systemFacts(),
        services: supervisor.state,
        state: deps.state.value,
        safe: deps.safe,
        env: process.env,
        homeFolder: os.homedir(),
        stores: await Promise.all(stores),
        logs: {
          shell: deps.log.spans(),
          services: [{ file: services, start: 0, size: await sizeOf(services) }],
        },
      });
      collected.set(window, files);
      return files;
    },
    async save(window, names) {
      const files = collected.get(window) ?? [];
      const chosen = files
        .map(({ name }) => name)
        .filter((name) => Array.isArray(names) && names.includes(name));
      if (chosen.length === 0) throw new TypeError('a bundle holds at least one collected file');
      const bytes = await packDiagnostics(files, chosen);
      return saveChosenFile(window, bundleName(new Date()), bytes);
    },
  };
}
