import type { MenuItemConstructorOptions } from 'electron';
import { COMMANDS } from '../preload/commands.ts';
import { t, translated } from '../preload/texts/t.ts';
import { acceleratorOf, type ChangedShortcuts } from './changed-shortcuts.ts';

/** Opens a recent project; the shell does it by itself. */
interface Recent {
  readonly id: string;
  readonly name: string;
}

/** What the menu is made of. */
export interface MenuFacts {
  readonly platform: NodeJS.Platform;
  readonly name: string;
  readonly isPackaged: boolean;
  readonly recent: readonly Recent[];
  /** Keys that somebody changed. */
  readonly shortcuts: ChangedShortcuts;
}

/** What the items do. */
export interface MenuActions {
  /** Tells the workbench in the window used last. */
  readonly command: (id: string) => void;
  readonly openProject: (id: string) => void;
}

/** Commands that the shell carries out itself, also where no window is. */
export const SHELL_COMMANDS: ReadonlySet<string> = new Set([
  'app.new-window',
  'app.restart-services',
  'view.zoom-in',
  'view.zoom-out',
  'view.zoom-reset',
]);

type Item = MenuItemConstructorOptions;
/** A line of the table: a command, a role of the system, or a part that is made elsewhere. */
type Entry = string | Item;

const LINE: Item = { type: 'separator' };
/** Stands for a list of the menu that changes. */
const RECENT = 'recent';

/** The menu that a Mac has of the program itself. */
const OF_MAC: readonly Entry[] = [
  'app.about',
  LINE,
  'go.settings',
  LINE,
  { role: 'services' },
  LINE,
  { role: 'hide' },
  { role: 'hideOthers' },
  { role: 'unhide' },
  LINE,
  { role: 'quit' },
];

const FILE: readonly Entry[] = [
  'app.new-window',
  LINE,
  'file.new-project',
  'file.new-draft',
  'file.open-folder',
  RECENT,
  'project.trust',
  LINE,
  'file.import',
  'file.import-folder',
  'file.import-options',
  'file.import-sample',
  'file.open-bundle',
  LINE,
  'draft.save',
  'draft.revert',
  LINE,
  'artifact.create',
  'artifact.compose',
  'artifact.freeze',
  'artifact.export',
];

const EDIT: readonly Entry[] = [
  { role: 'undo' },
  { role: 'redo' },
  LINE,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'pasteAndMatchStyle' },
  { role: 'delete' },
  { role: 'selectAll' },
  LINE,
  'go.find',
  'draft.format',
];

const VIEW: readonly Entry[] = [
  'palette.open',
  LINE,
  'view.sidebar',
  'view.panel',
  'view.side',
  'view.problems',
  'draft.inspect',
  'view.next-part',
  'view.part-before',
  LINE,
  'graph.fit',
  'graph.export-svg',
  'graph.export-png',
  LINE,
  'view.theme-light',
  'view.theme-dark',
  'view.theme-system',
  LINE,
  'view.zoom-in',
  'view.zoom-out',
  'view.zoom-reset',
  { role: 'togglefullscreen' },
];

const GO: readonly Entry[] = [
  'go.back',
  'go.forward',
  LINE,
  'go.welcome',
  'go.author',
  'go.runs',
  'go.tasks',
  'go.overview',
  'go.connections',
  LINE,
  'go.launch',
  'go.failures',
  'go.spend',
  'go.policies',
  'go.audit',
  'go.health',
  'go.webhooks',
  'go.secrets',
  'go.administration',
  LINE,
  'go.artifacts',
  'go.environments',
  'go.gaps',
  'go.freshness',
  'go.estate',
  'go.exposure',
  'go.members',
  'go.activity',
  LINE,
  'draft.symbol',
  'draft.problem',
  'draft.gaps',
  'draft.credentials',
  'draft.compare',
  'draft.compare-head',
  'draft.history',
  'draft.versions',
];

const RUN: readonly Entry[] = [
  'draft.run',
  'draft.preview',
  'run.start',
  LINE,
  'run.stop',
  'run.continue',
  'run.again',
  'run.launch',
  LINE,
  'run.open-spec',
  'run.copy-id',
  'run.export',
];

const HELP: readonly Entry[] = [
  'app.keys',
  LINE,
  'app.logs',
  'app.diagnostics',
  'app.restart-services',
];

function commandItem(id: string, facts: MenuFacts, actions: MenuActions): Item {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`there is no command ${id}`);
  const { title } = command;
  const chosen = facts.shortcuts[id];
  const shortcut = chosen === undefined ? command.shortcut : chosen;
  const accelerator = typeof shortcut === 'string' ? acceleratorOf(shortcut) : undefined;
  const isShells = SHELL_COMMANDS.has(id);
  return {
    id,
    label: translated(title),
    enabled: isShells,
    // The workbench hears the keys; a Mac's menu stays when no window is left to hear them.
    ...(accelerator === undefined
      ? {}
      : {
          accelerator,
          registerAccelerator: isShells && facts.platform === 'darwin',
        }),
    click: () => actions.command(id),
  };
}

function recentItem({ recent }: MenuFacts, actions: MenuActions): Item {
  return {
    label: t('Open recent'),
    enabled: recent.length > 0,
    submenu: recent.map(({ id, name }) => ({
      label: name.replaceAll('&', '&&'),
      click: () => actions.openProject(id),
    })),
  };
}

/** The whole menu of a system, as data. Commands are off until a window says that it handles them. */
export function menuTemplate(facts: MenuFacts, actions: MenuActions): Item[] {
  const isMac = facts.platform === 'darwin';
  const of = (entries: readonly Entry[]): Item[] =>
    entries.map((entry) => {
      if (typeof entry !== 'string') return entry;
      return entry === RECENT ? recentItem(facts, actions) : commandItem(entry, facts, actions);
    });
  const ending: readonly Entry[] = isMac
    ? [{ role: 'close' }]
    : ['go.settings', LINE, { role: 'quit' }];
  const tools: readonly Entry[] = facts.isPackaged ? [] : [LINE, { role: 'toggleDevTools' }];
  return [
    ...(isMac ? [{ label: facts.name, submenu: of(OF_MAC) }] : []),
    { label: t('File'), submenu: of([...FILE, LINE, ...ending]) },
    { label: t('Edit'), submenu: of(EDIT) },
    { label: t('View'), submenu: of([...VIEW, ...tools]) },
    { label: t('Go'), submenu: of(GO) },
    { label: t('Run'), submenu: of(RUN) },
    { role: 'windowMenu', label: t('Window') },
    { role: 'help', label: t('Help'), submenu: of(isMac ? HELP : [...HELP, LINE, 'app.about']) },
  ];
}
