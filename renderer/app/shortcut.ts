import { t } from '../../preload/texts/t.ts';

/** The parts of a keyboard event that decide which shortcut it is. */
export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

interface Chord {
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

function parse(shortcut: string): Chord {
  const parts = shortcut.split('+');
  return {
    mod: parts.includes('mod'),
    alt: parts.includes('alt'),
    shift: parts.includes('shift'),
    key: parts.at(-1) ?? '',
  };
}

function written({ mod, alt, shift, key }: Chord): string {
  const modifiers = [mod && 'mod', alt && 'alt', shift && 'shift'].filter((word) => word !== false);
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key].join('+');
}

/** The one way to write a shortcut: two that are pressed alike are the same text. */
export function normalShortcut(shortcut: string): string {
  return written(parse(shortcut));
}

/** Keys that a shortcut has a word for, since it is written with `+` between its parts. */
const SIGNS: Readonly<Record<string, string>> = { '+': 'Plus', ' ': 'Space' };
const MODIFIERS: ReadonlySet<string> = new Set([
  'Control',
  'Shift',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
]);

/** The letter or digit of a key where its keyboard writes another script, or Alt another sign. */
function plainKey(code: string): string | undefined {
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1];
}

function keyOf(stroke: KeyStroke): string {
  const isPlain = /^[a-z0-9]$/i.test(stroke.key);
  return isPlain ? stroke.key.toUpperCase() : (SIGNS[stroke.key] ?? stroke.key);
}

/** A sign such as `+` needs Shift on one keyboard and not on another; it counts as itself. */
function isSign(key: string): boolean {
  return key === 'Plus' || (key.length === 1 && key.toLowerCase() === key.toUpperCase());
}

function keyMatches(key: string, stroke: KeyStroke): boolean {
  const pressed = keyOf(stroke).toLowerCase();
  const wanted = key.toLowerCase();
  // A Latin keyboard says which letter it is, wherever that stands; others are read by the place.
  const place = /^[a-z0-9]$/.test(pressed) ? undefined : plainKey(stroke.code);
  return pressed === wanted || place?.toLowerCase() === wanted;
}

/** True when the stroke is the shortcut; `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function matchesShortcut(shortcut: string, stroke: KeyStroke, mac: boolean): boolean {
  const chord = parse(shortcut);
  const mod = mac ? stroke.metaKey : stroke.ctrlKey;
  const other = mac ? stroke.ctrlKey : stroke.metaKey;
  const shift = stroke.shiftKey === chord.shift || (isSign(chord.key) && !/^\d$/.test(chord.key));
  return (
    mod === chord.mod &&
    !other &&
    stroke.altKey === chord.alt &&
    shift &&
    keyMatches(chord.key, stroke)
  );
}

/** The shortcut that a stroke is; undefined while only modifiers are held, or one that has no place. */
export function shortcutOfStroke(stroke: KeyStroke, mac: boolean): string | undefined {
  const other = mac ? stroke.ctrlKey : stroke.metaKey;
  if (other || MODIFIERS.has(stroke.key)) {
    return undefined;
  }
  const pressed = keyOf(stroke);
  const key = /^[A-Z0-9]$/.test(pressed) ? pressed : (plainKey(stroke.code) ?? pressed);
  return written({
    mod: mac ? stroke.metaKey : stroke.ctrlKey,
    alt: stroke.altKey,
    shift: stroke.shiftKey && (!isSign(key) || /^\d$/.test(key)),
    key,
  });
}

/** What every text field does with its keys; nothing else can have them. */
const OF_TEXT = new Set(
  ['C', 'X', 'V', 'shift+V', 'A', 'Z', 'shift+Z', 'Y'].map((k) => `mod+${k}`),
);
/** What the system does with windows. */
const OF_SYSTEM: ReadonlySet<string> = new Set([
  ...['mod+W', 'mod+Q', 'mod+M', 'alt+F4', 'F11', 'F12'],
]);

/** Why a shortcut, shown as `keys`, cannot be had, in words for a person; undefined when it can. */
export function refusalOf(shortcut: string, keys: string): string | undefined {
  const { mod, alt, key } = parse(shortcut);
  if (key === 'Tab' || key === 'Escape') {
    return t('{keys} leads through the window and out of its parts.', { keys });
  }
  if (!mod && !alt && !/^F\d+$/.test(key)) {
    return t('{keys} is a key of texts and lists: hold Ctrl or Alt as well.', { keys });
  }
  if (OF_TEXT.has(shortcut)) {
    return t('{keys} is for copying, pasting, undoing and choosing in texts.', { keys });
  }
  return OF_SYSTEM.has(shortcut) ? t('{keys} belongs to the system.', { keys }) : undefined;
}

const MAC: Readonly<Record<string, string>> = { mod: '⌘', alt: '⌥', shift: '⇧' };
const OTHER: Readonly<Record<string, string>> = { mod: 'Ctrl', alt: 'Alt', shift: 'Shift' };
const KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Delete: 'Del',
  Plus: '+',
};

/** The shortcut as people read it: `Ctrl+Shift+G`, `⇧⌘G`. */
export function shortcutText(shortcut: string, mac: boolean): string {
  const names = mac ? MAC : OTHER;
  return shortcut
    .split('+')
    .map((part) => names[part] ?? KEYS[part] ?? part)
    .join(mac ? '' : '+');
}
