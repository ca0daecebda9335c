import { t } from '../../preload/texts/t.ts';
import { preferencesStore } from '../data/preferences.ts';
import { useStore } from '../ui/store.ts';
import type { KeyStroke } from './shortcut.ts';

/** Where a single key acts; what acts anywhere meets the keys of every place. */
export type KeyPlace = 'anywhere' | 'tasks' | 'gaps';

const KEYS = {
  'keys.show': ['anywhere', '?', t('Show the keys')],
  'search.go': ['anywhere', '/', t('Go to the search')],
  'decision.undo': ['anywhere', 'u', t('Undo the decision')],
  'tasks.next': ['tasks', 'j', t('Next task')],
  'tasks.before': ['tasks', 'k', t('Task before')],
  'tasks.approve': ['tasks', 'a', t('Approve')],
  'tasks.reject': ['tasks', 'r', t('Reject')],
  'tasks.edit': ['tasks', 'e', t('Send the edited text')],
  'tasks.choose': ['tasks', 's', t('Choose the option')],
  'tasks.send': ['tasks', 'p', t('Send the text')],
  'gaps.next': ['gaps', 'j', t('Next gap')],
  'gaps.before': ['gaps', 'k', t('Gap before')],
  'gaps.next-open': ['gaps', 'n', t('Next open gap')],
  'gaps.open-before': ['gaps', 'p', t('Open gap before')],
  'gaps.fix': ['gaps', 'f', t('Fix')],
  'gaps.acknowledge': ['gaps', 'a', t('Acknowledge')],
  'gaps.attest': ['gaps', 't', t('Attest')],
  'gaps.retract': ['gaps', 'r', t('Retract')],
  'gaps.undo': ['gaps', 'z', t('Undo')],
  'gaps.editor': ['gaps', 'e', t('Open in the editor')],
  'gaps.fold': ['gaps', 'o', t('Fold or unfold')],
} as const satisfies Readonly<
  Record<string, readonly [place: KeyPlace, usual: string, title: string]>
>;

export type SingleKeyId = keyof typeof KEYS;

/** Something that a key without Ctrl and Alt does while nobody is typing. */
export interface SingleKeyAction {
  readonly id: SingleKeyId;
  readonly place: KeyPlace;
  readonly usual: string;
  readonly title: string;
}

function isId(id: string): id is SingleKeyId {
  return Object.hasOwn(KEYS, id);
}

/** Everything that single keys do. */
export const SINGLE_KEYS: readonly SingleKeyAction[] = Object.entries(KEYS).flatMap(
  ([id, [place, usual, title]]) => (isId(id) ? [{ id, place, usual, title }] : []),
);

/** Action → its key, where somebody chose another one; null = none. */
export type ChangedSingleKeys = Readonly<Record<string, string | null>>;

const NONE: ChangedSingleKeys = {};

/** The key of an action now; null where it has none. */
export function singleKeyOf(id: SingleKeyId, changed: ChangedSingleKeys): string | null {
  const chosen = changed[id];
  return chosen === undefined ? KEYS[id][1] : chosen;
}

/** What a key would be taken from if the action got it. */
export function singleKeyHolders(
  key: string,
  id: SingleKeyId,
  changed: ChangedSingleKeys,
): readonly SingleKeyAction[] {
  const mine = KEYS[id][0];
  return SINGLE_KEYS.filter(
    (other) =>
      other.id !== id &&
      (mine === 'anywhere' || other.place === 'anywhere' || other.place === mine) &&
      singleKeyOf(other.id, changed) === key,
  );
}

/** What is kept after an action got a key, or none; what had it before has none. */
export function withSingleKey(
  id: SingleKeyId,
  key: string | null,
  changed: ChangedSingleKeys,
): ChangedSingleKeys {
  const taken = key === null ? [] : singleKeyHolders(key, id, changed);
  const next = { ...changed, ...Object.fromEntries(taken.map((one) => [one.id, null])), [id]: key };
  const own = Object.entries(next).filter(
    ([name, chosen]) => isId(name) && chosen !== KEYS[name][1],
  );
  return Object.fromEntries(own);
}

/** The single key that a stroke is: a letter, digit or sign by itself; undefined for every other. */
export function singleKeyOfStroke(stroke: KeyStroke): string | undefined {
  const { key } = stroke;
  const letter = key.toLowerCase() !== key.toUpperCase();
  const held = stroke.ctrlKey || stroke.metaKey || stroke.altKey || (stroke.shiftKey && letter);
  // A sign such as `?` needs Shift on most keyboards; a letter with Shift is another key.
  return held || [...key].length !== 1 || key === ' ' ? undefined : key.toLowerCase();
}

/** What this person changed. */
export function useChangedSingleKeys(): ChangedSingleKeys {
  return useStore(preferencesStore).changed_single_keys ?? NONE;
}
