import { createStore, type Store } from '../ui/store.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Go to' | 'File' | 'Draft' | 'Artifact' | 'Run' | 'View' | 'Application';
  /** `mod` is Ctrl, or Cmd on a Mac. */
  readonly shortcut?: string;
  /** Another one that does the same. */
  readonly also?: string;
  /** Where it works, in words; it is offered only while something there handles it. */
  readonly when?: string;
}

/** Every command: the palette, the menus and the shortcuts are made from this table alone. */
export const COMMANDS: readonly Command[] = [
  { id: 'palette.open', title: 'Show all commands', group: 'Application', shortcut: 'mod+K' },
  { id: 'go.author', title: 'Author', group: 'Go to', shortcut: 'mod+1' },
  { id: 'go.runs', title: 'Runs', group: 'Go to', shortcut: 'mod+2' },
  { id: 'go.tasks', title: 'Tasks', group: 'Go to', shortcut: 'mod+3' },
  { id: 'go.overview', title: 'Operate', group: 'Go to', shortcut: 'mod+4' },
  { id: 'go.settings', title: 'Settings', group: 'Go to', shortcut: 'mod+,' },
  { id: 'go.connections', title: 'Connections to other computers', group: 'Go to' },
  { id: 'go.failures', title: 'Failures', group: 'Go to' },
  { id: 'go.administration', title: 'Administration of the dashboard', group: 'Go to' },
  { id: 'go.spend', title: 'Spend', group: 'Go to' },
  { id: 'go.launch', title: 'Launch a spec', group: 'Go to' },
  { id: 'go.policies', title: 'Policies', group: 'Go to' },
  { id: 'go.audit', title: 'Audit', group: 'Go to' },
  { id: 'go.health', title: 'Health', group: 'Go to' },
  { id: 'go.secrets', title: 'Credentials of the platform', group: 'Go to' },
  { id: 'go.welcome', title: 'Welcome', group: 'Go to' },
  { id: 'go.back', title: 'Back', group: 'Go to', shortcut: 'alt+ArrowLeft' },
  { id: 'go.forward', title: 'Forward', group: 'Go to', shortcut: 'alt+ArrowRight' },
  { id: 'go.find', title: 'Find in all drafts', group: 'Go to', shortcut: 'mod+shift+F' },
  { id: 'go.artifacts', title: 'Artifacts of this project', group: 'Go to' },
  { id: 'go.environments', title: 'Environments of this project', group: 'Go to' },
  { id: 'go.gaps', title: 'Review gaps of this project', group: 'Go to' },
  { id: 'go.freshness', title: 'Freshness of the artifacts of this project', group: 'Go to' },
  { id: 'go.estate', title: 'Map of the imports of this project', group: 'Go to' },
  { id: 'go.exposure', title: 'Exposure of this project', group: 'Go to' },
  { id: 'go.members', title: 'Members of this project', group: 'Go to' },
  { id: 'go.activity', title: 'Activity in this project', group: 'Go to' },
  {
    id: 'app.new-window',
    title: 'New window',
    group: 'File',
    shortcut: 'mod+shift+N',
    when: 'desktop',
  },
  { id: 'file.import', title: 'Import a workflow…', group: 'File', shortcut: 'mod+O' },
  { id: 'file.import-folder', title: 'Import a folder…', group: 'File' },
  { id: 'file.import-options', title: 'What can be imported, and how…', group: 'File' },
  { id: 'file.import-sample', title: 'Import the sample export', group: 'File' },
  { id: 'file.open-bundle', title: 'Open a bundle…', group: 'File' },
  { id: 'file.new-draft', title: 'New draft…', group: 'File', shortcut: 'mod+alt+N' },
  { id: 'file.open-folder', title: 'Open a folder…', group: 'File' },
  { id: 'file.new-project', title: 'New project…', group: 'File' },
  { id: 'project.trust', title: 'Trust this folder…', group: 'File' },
  { id: 'draft.save', title: 'Save', group: 'Draft', shortcut: 'mod+S', when: 'editor' },
  { id: 'draft.revert', title: 'Discard unsaved changes…', group: 'Draft', when: 'editor' },
  { id: 'draft.format', title: 'Format', group: 'Draft', shortcut: 'shift+alt+F', when: 'editor' },
  {
    id: 'draft.symbol',
    title: 'Go to symbol…',
    group: 'Draft',
    shortcut: 'mod+shift+O',
    when: 'editor',
  },
  { id: 'draft.problem', title: 'Next problem', group: 'Draft', shortcut: 'F8', when: 'editor' },
  {
    id: 'draft.inspect',
    title: 'Inspector',
    group: 'Draft',
    shortcut: 'mod+alt+I',
    when: 'editor',
  },
  { id: 'draft.compare', title: 'Compare…', group: 'Draft', when: 'editor' },
  { id: 'draft.compare-head', title: 'Compare with HEAD', group: 'Draft', when: 'editor' },
  { id: 'draft.history', title: 'History of this draft…', group: 'Draft', when: 'editor' },
  { id: 'draft.versions', title: 'Versions of this draft', group: 'Draft', when: 'editor' },
  {
    id: 'draft.gaps',
    title: 'Review gaps',
    group: 'Draft',
    shortcut: 'mod+shift+G',
    when: 'editor',
  },
  { id: 'draft.credentials', title: 'Credentials…', group: 'Draft', when: 'editor' },
  {
    id: 'draft.preview',
    title: 'Preview on the platform',
    group: 'Draft',
    shortcut: 'mod+shift+Enter',
    when: 'editor',
  },
  {
    id: 'artifact.create',
    title: 'Create artifact from this draft…',
    group: 'Artifact',
    when: 'editor',
  },
  {
    id: 'artifact.compose',
    title: 'Compose this draft with overlays…',
    group: 'Artifact',
    when: 'editor',
  },
  {
    id: 'artifact.freeze',
    title: 'Freeze the composition',
    group: 'Artifact',
    shortcut: 'mod+shift+Enter',
    when: 'compose',
  },
  {
    id: 'artifact.export',
    title: 'Export…',
    group: 'Artifact',
    shortcut: 'mod+shift+E',
    when: 'artifact',
  },
  {
    id: 'draft.run',
    title: 'Run this draft',
    group: 'Run',
    shortcut: 'F5',
    also: 'mod+Enter',
    when: 'editor',
  },
  { id: 'run.start', title: 'Run this artifact…', group: 'Run', shortcut: 'F5', when: 'artifact' },
  { id: 'run.stop', title: 'Stop this run…', group: 'Run', when: 'run' },
  { id: 'run.continue', title: 'Continue this run', group: 'Run', when: 'run' },
  { id: 'run.again', title: 'Run this again…', group: 'Run', when: 'run' },
  { id: 'run.launch', title: 'Launch this again…', group: 'Run', when: 'run' },
  { id: 'run.open-spec', title: 'Open the spec of this run', group: 'Run', when: 'run' },
  { id: 'run.copy-id', title: 'Copy the id of this run', group: 'Run', when: 'run' },
  { id: 'run.export', title: 'Export this run', group: 'Run', when: 'run' },
  { id: 'view.sidebar', title: 'Toggle sidebar', group: 'View', shortcut: 'mod+B' },
  { id: 'view.panel', title: 'Toggle bottom panel', group: 'View', shortcut: 'mod+J' },
  { id: 'view.side', title: 'Toggle graph', group: 'View', shortcut: 'mod+alt+G', when: 'editor' },
  { id: 'view.next-part', title: 'Next part of the window', group: 'View', shortcut: 'F6' },
  {
    id: 'view.part-before',
    title: 'Part of the window before',
    group: 'View',
    shortcut: 'shift+F6',
  },
  { id: 'view.problems', title: 'Problems', group: 'View', shortcut: 'mod+shift+M' },
  { id: 'view.theme-light', title: 'Light theme', group: 'View' },
  { id: 'view.theme-dark', title: 'Dark theme', group: 'View' },
  { id: 'view.theme-system', title: 'Theme of the system', group: 'View' },
  { id: 'graph.fit', title: 'Fit graph', group: 'View', when: 'graph' },
  { id: 'graph.export-svg', title: 'Export graph as SVG', group: 'View', when: 'graph' },
  { id: 'graph.export-png', title: 'Export graph as PNG', group: 'View', when: 'graph' },
  { id: 'app.keys', title: 'Keyboard shortcuts', group: 'Application' },
  { id: 'app.sign-out', title: 'Sign out…', group: 'Application', when: 'browser' },
  { id: 'app.restart-services', title: 'Restart services', group: 'Application', when: 'desktop' },
  { id: 'app.logs', title: 'Logs', group: 'Application', when: 'desktop' },
];

type Handlers = ReadonlyMap<string, () => void>;

/** What handles which command now; the latest registration wins. */
export const handlersStore: Store<Handlers> = createStore<Handlers>(new Map());

/** Handles a command until the answer is called. */
export function registerHandler(id: string, run: () => void): () => void {
  handlersStore.set((handlers) => new Map(handlers).set(id, run));
  return () => {
    handlersStore.set((handlers) => {
      if (handlers.get(id) !== run) {
        return handlers;
      }
      const rest = new Map(handlers);
      rest.delete(id);
      return rest;
    });
  };
}

/** Handles several commands until the answer is called. */
export function registerHandlers(
  entries: readonly { readonly command: string; readonly run: () => void }[],
): () => void {
  const stops = entries.map(({ command, run }) => registerHandler(command, run));
  return () => {
    for (const stop of stops) {
      stop();
    }
  };
}

/** Runs a command; false when nothing handles it now. */
export function runCommand(id: string): boolean {
  const run = handlersStore.get().get(id);
  run?.();
  return run !== undefined;
}
