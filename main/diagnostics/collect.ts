import type {
  AppInfo,
  AppMetrics,
  DiagnosticsFile,
  ServicesState,
} from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { redactValue } from '../../server/kernel/redact.ts';
import type { LogSpan } from '../log-file.ts';
import { pageBefore } from '../logs/log-pages.ts';
import type { ShellState } from '../shell-state.ts';

/** So much of a log goes into a bundle at most. */
const LOG_BYTES = 1024 * 1024;

/** What a bundle is made of. */
export interface DiagnosticsFacts {
  readonly now: Date;
  readonly info: AppInfo;
  readonly metrics: AppMetrics;
  readonly system: Readonly<Record<string, unknown>>;
  readonly services: ServicesState;
  readonly state: ShellState;
  readonly safe: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's own folder, which stands as `~` in what is saved. */
  readonly homeFolder: string;
  readonly stores: readonly { readonly name: string; readonly bytes: number }[];
  /** The log of shell and services, and the one that the services write by themselves. */
  readonly logs: {
    readonly shell: readonly LogSpan[];
    readonly services: readonly LogSpan[];
  };
}

/** Values of variables may be secrets or say where somebody works: names alone are told. */
function ownVariables(env: DiagnosticsFacts['env']): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SPECWRIGHT_'))
    .toSorted();
}

async function lastLines(spans: readonly LogSpan[]): Promise<string> {
  const pages: string[] = [];
  let before: number | null = null;
  let size = 0;
  do {
    const page = await pageBefore(spans, before);
    const rows = page.lines.map(({ at: _place, ...line }) => `${JSON.stringify(line)}\n`);
    pages.unshift(rows.join(''));
    size += pages[0]?.length ?? 0;
    before = page.earlier;
  } while (before !== null && size < LOG_BYTES);
  return pages.join('');
}

function asJson(value: unknown): string {
  return `${JSON.stringify(redactValue(value), null, 2)}\n`;
}

/** What the shell keeps of its windows, without what they show. */
function withoutPlaces({ windows, ...rest }: ShellState): object {
  return { ...rest, windows: windows.map(({ bounds, maximized }) => ({ bounds, maximized })) };
}

/** The files of a bundle, each as it would be saved: without secrets, and no text of a project. */
export async function collectDiagnostics(
  facts: DiagnosticsFacts,
): Promise<readonly DiagnosticsFile[]> {
  const { phase, restarts, problem } = facts.services;
  const { data_folder: _folder, ...versions } = facts.info;
  const files: readonly DiagnosticsFile[] = [
    {
      name: 'program.json',
      about: t('Versions, system, processes and their memory, state of the services'),
      text: asJson({
        made_at: facts.now.toISOString(),
        program: versions,
        system: facts.system,
        safe_mode: facts.safe,
        services: { phase, restarts, problem },
        metrics: facts.metrics,
        variables_set: ownVariables(facts.env),
      }),
      chosen: true,
    },
    {
      name: 'stores.json',
      about: t('Names and sizes of the stores, nothing of what they hold'),
      text: asJson({ stores: facts.stores }),
      chosen: true,
    },
    {
      name: 'windows.json',
      about: t('Theme, sizes and places of the windows on the screen'),
      text: asJson(withoutPlaces(facts.state)),
      chosen: true,
    },
    {
      name: 'shell.log',
      about: t(
        'The last lines of shell and services, secrets masked; names of projects and drafts may stand in them',
      ),
      text: await lastLines(facts.logs.shell),
      chosen: true,
    },
    {
      name: 'services.log',
      about: t('The last lines that the services wrote by themselves, as above'),
      text: await lastLines(facts.logs.services),
      chosen: true,
    },
    {
      name: 'places.json',
      about: t('What the windows show: addresses with names of projects, drafts and runs'),
      text: asJson({ places: facts.state.windows.map(({ place }) => place) }),
      chosen: false,
    },
  ];
  const { homeFolder } = facts;
  if (homeFolder.length < 2) return files;
  const quoted = JSON.stringify(homeFolder).slice(1, -1);
  return files.map((file) => ({
    ...file,
    text: file.text.replaceAll(quoted, '~').replaceAll(homeFolder, '~'),
  }));
}
