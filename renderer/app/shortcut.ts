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
    key: (parts.at(-1) ?? '').toLowerCase(),
  };
}

function keyMatches(key: string, stroke: KeyStroke): boolean {
  return (
    stroke.key.toLowerCase() === key ||
    stroke.code.toLowerCase() === `key${key}` ||
    stroke.code.toLowerCase() === `digit${key}`
  );
}

/** True when the stroke is the shortcut; `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function matchesShortcut(shortcut: string, stroke: KeyStroke, mac: boolean): boolean {
  const chord = parse(shortcut);
  const mod = mac ? stroke.metaKey : stroke.ctrlKey;
  const other = mac ? stroke.ctrlKey : stroke.metaKey;
  return (
    mod === chord.mod &&
    !other &&
    stroke.altKey === chord.alt &&
    stroke.shiftKey === chord.shift &&
    keyMatches(chord.key, stroke)
  );
}

const MAC: Readonly<Record<string, string>> = { mod: '⌘', alt: '⌥', shift: '⇧' };
const OTHER: Readonly<Record<string, string>> = { mod: 'Ctrl', alt: 'Alt', shift: 'Shift' };
const KEYS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', Enter: '↵' };

/** The shortcut as people read it: `Ctrl+Shift+G`, `⇧⌘G`. */
export function shortcutText(shortcut: string, mac: boolean): string {
  const names = mac ? MAC : OTHER;
  return shortcut
    .split('+')
    .map((part) => names[part] ?? KEYS[part] ?? part)
    .join(mac ? '' : '+');
}
