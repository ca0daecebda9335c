import { characters } from '../../contract/studio/fields.ts';

const MAX_CHARACTERS = 512;
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?$/i;
/** Drafts that the studio writes by itself (decisions 18); the second is the reference's spelling. */
const GENERATED = ['.studio/drafts/', '.kneo-studio/drafts/'] as const;
/** Where drafts stand that the studio wrote itself (studio.md 6.2). */
export const GENERATED_FOLDER = GENERATED[0];

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 32 || unit === 127) return true;
  }
  return false;
}

function isUnsafe(path: string): boolean {
  return (
    path === '' ||
    !path.isWellFormed() ||
    hasControl(path) ||
    path.includes('\\') ||
    path.startsWith('/')
  );
}

function isUnsafeSegment(segment: string, platform: string): boolean {
  if (segment === '..' || RESERVED.test(segment)) return true;
  return platform === 'win32' && (/[. ]$/.test(segment) || segment.includes(':'));
}

/**
 * The canonical project-relative path that `input` names (studio.md 6.3), or undefined when it
 * names none: absolute, leaving the tree, reserved by an operating system, over 512 characters.
 * Device names are refused on every system, so that a tree can travel.
 */
export function canonicalRef(
  input: string,
  platform: string = process.platform,
): string | undefined {
  if (characters(input) > MAX_CHARACTERS) return undefined;
  const path = input.normalize('NFC');
  if (isUnsafe(path)) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0) return undefined;
  if (segments.some((segment) => isUnsafeSegment(segment, platform))) return undefined;
  const ref = segments.join('/');
  // What stands before the first folder may hide a drive: `./c:x`.
  return ref.charAt(1) === ':' ? undefined : ref;
}

/** True for a ref in the namespace of drafts that the studio wrote. */
export function isGenerated(ref: string): boolean {
  return GENERATED.some((prefix) => ref.startsWith(prefix));
}
