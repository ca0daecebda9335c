import type { GitMark } from '../../contract/studio/git.ts';

/** Settings of a repository that only say how bytes are read, with the values that they may have. */
const PLAIN: Readonly<Record<string, RegExp>> = {
  'core.autocrlf': /^(?:true|false|input|yes|no|on|off|0|1)$/i,
  'core.eol': /^(?:lf|crlf|native)$/i,
  'core.filemode': /^(?:true|false|yes|no|on|off|0|1)$/i,
  'core.symlinks': /^(?:true|false|yes|no|on|off|0|1)$/i,
  'core.ignorecase': /^(?:true|false|yes|no|on|off|0|1)$/i,
  'core.precomposeunicode': /^(?:true|false|yes|no|on|off|0|1)$/i,
  'core.trustctime': /^(?:true|false|yes|no|on|off|0|1)$/i,
  'core.checkstat': /^(?:default|minimal)$/i,
  'core.longpaths': /^(?:true|false|yes|no|on|off|0|1)$/i,
};

export interface GitSettings {
  /** `key=value` of the settings that are taken over; every other one of the repository is left. */
  readonly plain: readonly string[];
  /** The person's own list of files to ignore, where one is named. */
  readonly excludesFile: string | undefined;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** Reads `git config --list -z`: settings that name a program are not among those taken over. */
export function parseSettings(text: string): GitSettings {
  const last = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('\n');
    if (entry !== '')
      last.set(at < 0 ? entry : entry.slice(0, at), at < 0 ? 'true' : entry.slice(at + 1));
  }
  const plain: string[] = [];
  for (const [key, allowed] of Object.entries(PLAIN)) {
    const value = last.get(key);
    if (value !== undefined && allowed.test(value)) plain.push(`${key}=${value}`);
  }
  return {
    plain,
    excludesFile: last.get('core.excludesfile'),
    objectFormat: last.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
  };
}

/** Marks by path from the top of the work tree; a path that ends in a slash is a whole folder. */
export type PathMarks = ReadonlyMap<string, GitMark>;

function markOfEntry(states: string): GitMark | undefined {
  if (states.endsWith('D') || states === 'D.') return undefined;
  return states.startsWith('A') || states === '.A' ? 'added' : 'modified';
}

/** The path of an entry stands behind so many words; it may hold spaces itself. */
function pathAfter(entry: string, words: number): string {
  return entry.split(' ').slice(words).join(' ');
}

/** Reads `git status --porcelain=v2 -z --no-renames`; deleted files have no mark. */
export function parseStatus(text: string): PathMarks {
  const marks = new Map<string, GitMark>();
  for (const entry of text.split('\0')) {
    const kind = entry.charAt(0);
    if (kind === '?') marks.set(entry.slice(2), 'untracked');
    if (kind === '!') marks.set(entry.slice(2), 'ignored');
    if (kind === 'u') marks.set(pathAfter(entry, 10), 'conflicted');
    if (kind === '1') {
      const mark = markOfEntry(entry.slice(2, 4));
      if (mark !== undefined) marks.set(pathAfter(entry, 8), mark);
    }
  }
  return marks;
}

/** The mark of a file: its own, else that of the nearest folder around it that has one. */
export function markOf(marks: PathMarks, path: string): GitMark | undefined {
  const own = marks.get(path);
  if (own !== undefined) return own;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const around = marks.get(path.slice(0, at + 1));
    if (around !== undefined) return around;
  }
  return undefined;
}
