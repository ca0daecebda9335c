import { t } from '../../../../preload/texts/t.ts';
import type { GraphEditing } from './editing-types.ts';

/** What can be done with what is chosen. */
export type GraphAction =
  | 'inspect'
  | 'text'
  | 'add'
  | 'connect'
  | 'condition'
  | 'retarget'
  | 'fallback'
  | 'rename'
  | 'earlier'
  | 'later'
  | 'wrap'
  | 'delete'
  | 'undo'
  | 'redo';

/** What is chosen in the drawing: steps, a line, or nothing. */
export interface Chosen {
  readonly nodes: readonly string[];
  readonly line: string | null;
  /** An operation left it; the author chooses anew instead of more. */
  readonly left?: boolean;
}

export const NOTHING_CHOSEN: Chosen = { nodes: [], line: null };

/** An action with its words and its key. */
export interface ActionWords {
  readonly action: GraphAction;
  readonly label: string;
  readonly keys: string;
}

/** The actions in the order of the toolbar and of the menu. */
export const ACTIONS: readonly ActionWords[] = [
  { action: 'inspect', label: t('Inspect'), keys: 'Enter' },
  { action: 'text', label: t('Open in the text'), keys: 'Shift+Enter' },
  { action: 'add', label: t('Add step'), keys: 'Insert' },
  { action: 'connect', label: t('Connect to'), keys: 'Alt+Enter' },
  { action: 'condition', label: t('Condition of the edge'), keys: 'F2' },
  { action: 'retarget', label: t('Lead the edge elsewhere'), keys: 'Alt+Enter' },
  { action: 'fallback', label: t('Set as fallback'), keys: 'F' },
  { action: 'rename', label: t('Rename'), keys: 'F2' },
  { action: 'earlier', label: t('Move earlier'), keys: 'Alt+Up' },
  { action: 'later', label: t('Move later'), keys: 'Alt+Down' },
  { action: 'wrap', label: t('Wrap into a workflow'), keys: 'Ctrl+G' },
  { action: 'delete', label: t('Delete'), keys: 'Delete' },
  { action: 'undo', label: t('Undo'), keys: 'Ctrl+Z' },
  { action: 'redo', label: t('Redo'), keys: 'Ctrl+Shift+Z' },
];

interface Pressed {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

function withControl({ key, shiftKey }: Pressed): GraphAction | undefined {
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  if (letter === 'y') return 'redo';
  return letter === 'g' ? 'wrap' : undefined;
}

function withAlt({ key }: Pressed, line: boolean): GraphAction | undefined {
  if (key === 'Enter') return line ? 'retarget' : 'connect';
  if (key === 'ArrowUp') return 'earlier';
  return key === 'ArrowDown' ? 'later' : undefined;
}

const PLAIN: Readonly<Record<string, GraphAction>> = {
  Insert: 'add',
  Delete: 'delete',
  Backspace: 'delete',
};

/** What is said of an edge that was led elsewhere. */
export function retargetWords(end: 'from' | 'to', key: string): string {
  return end === 'to'
    ? t('The edge leads to "{key}" now.', { key })
    : t('The edge begins at "{key}" now.', { key });
}

/** The action that a key stands for; `line` says that an edge has the keyboard. */
export function actionOfKey(pressed: Pressed, line: boolean): GraphAction | undefined {
  const { key, altKey, ctrlKey, metaKey } = pressed;
  if (ctrlKey || metaKey) return withControl(pressed);
  if (altKey) return withAlt(pressed, line);
  if (key === 'F2') return line ? 'condition' : 'rename';
  if (key === 'Enter') return pressed.shiftKey ? 'text' : 'inspect';
  if (line && key.toLowerCase() === 'f') return 'fallback';
  return PLAIN[key];
}

const OF_STEPS: ReadonlySet<GraphAction> = new Set([
  'text',
  'connect',
  'rename',
  'earlier',
  'later',
]);
const OF_LINES: ReadonlySet<GraphAction> = new Set(['condition', 'retarget', 'fallback']);

/** Why an action has nothing to act on; undefined when it has. */
export function lackOf(action: GraphAction, chosen: Chosen): string | undefined {
  if (OF_STEPS.has(action) && chosen.nodes.length !== 1) return t('Choose one step first.');
  if (OF_LINES.has(action) && chosen.line === null) return t('Choose an edge first.');
  if (action === 'wrap' && chosen.nodes.length === 0) return t('Choose the steps first.');
  const one = action === 'delete' || action === 'inspect';
  if (one && chosen.line === null && chosen.nodes.length !== 1) {
    return t('Choose one step or edge first.');
  }
  return undefined;
}

/** What is chosen as far as the drawing still has it. */
export function stillThere(chosen: Chosen, editing: GraphEditing): Chosen {
  const { nodes, line } = chosen;
  return {
    ...chosen,
    nodes: nodes.filter((id) => editing.steps[id] !== undefined),
    line: line !== null && editing.lines[line] !== undefined ? line : null,
  };
}
