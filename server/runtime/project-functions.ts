import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { confinePath } from './spec-files.ts';

const SUFFIXES = ['.ts', '.mts', '.js', '.mjs'];
const PART = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Where the code of an implementation would be. */
export interface ProjectFunction {
  readonly file: string;
  /** The export of that file. */
  readonly name: string;
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds `module.path.name` in the project's `functions/` folder: `module/path.ts|mts|js|mjs` with
 * export `name` (decisions 8). The file is only looked for here, never loaded.
 */
export async function findProjectFunction(
  root: string,
  implementation: string,
): Promise<ProjectFunction | undefined> {
  const parts = implementation.split('.');
  const name = parts.pop();
  if (name === undefined || parts.length === 0) return undefined;
  if (![...parts, name].every((part) => PART.test(part))) return undefined;
  const stem = path.join(root, 'functions', ...parts);
  for (const suffix of SUFFIXES) {
    const file = `${stem}${suffix}`;
    if (!(await isFile(file))) continue;
    const confined = await confinePath(path.join(root, 'functions'), file);
    return confined.ok ? { file: confined.path, name } : undefined;
  }
  return undefined;
}

const EXPORTED_LIST = /\bexport\s*\{([^{}]*)\}/g;
/** Exports whose names this reader does not follow. */
const UNREADABLE = /\bexport\s*\*|\bexport\s+(?:const|let|var)\s*[[{]/;

function listedNames(text: string): string[] {
  return [...text.matchAll(EXPORTED_LIST)].flatMap(([, list = '']) =>
    list.split(',').map((item) => item.trim().split(/\s+/).at(-1) ?? ''),
  );
}

function exportsName(text: string, name: string): boolean {
  const declared = [
    `\\bexport\\s+(?:async\\s+)?(?:function\\s*\\*?|class|const|let|var)\\s+${name}\\b`,
    `\\bexport\\s+(?:const|let|var)\\b[^;]*,\\s*${name}\\b`,
  ];
  return (
    UNREADABLE.test(text) ||
    listedNames(text).includes(name) ||
    declared.some((pattern) => new RegExp(pattern).test(text))
  );
}

/**
 * Whether the file seems to export the function; the text is read, never run. In doubt it does, and
 * the call will tell.
 */
export async function hasProjectFunction({ file, name }: ProjectFunction): Promise<boolean> {
  try {
    return exportsName(await readFile(file, 'utf8'), name);
  } catch {
    return false;
  }
}
