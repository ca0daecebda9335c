import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCrews, joinCrew } from '../../gaps/report/crew-files.ts';
import { isArchive, looksLikeExport } from '../../gaps/report/source-of-file.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { decodeSource, type SourceFile, type SourceProblem } from './source-file.ts';

/** Linking keeps the drafts of all files in memory. */
const MAX_FILES = 5_000;
const MAX_DEPTH = 32;
/**
 * A little over the importers' own limit, so that the importer itself refuses the file and says
 * why.
 */
const MAX_BYTES = 2 * 1_048_576;

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);

function readDisk(file: string): string | SourceProblem {
  try {
    if (lstatSync(file).size > MAX_BYTES) {
      return { code: 'source_too_large', message: 'The file is larger than 1 MiB.' };
    }
    return decodeSource(readFileSync(file));
  } catch (error) {
    const code = systemCode(error) ?? 'unknown error';
    return { code: 'file_unreadable', message: `The file cannot be read (${code}).` };
  }
}

/** Files under a folder that may be exports, in order of their names; links are not followed. */
function* walk(folder: string, shown: string, depth: number): Generator<[string, string]> {
  if (depth > MAX_DEPTH) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    const file = path.join(folder, entry.name);
    const name = `${shown}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') {
        yield* walk(file, name, depth + 1);
      }
    } else if (entry.isFile() && (looksLikeExport(entry.name) || isArchive(entry.name))) {
      yield [file, name];
    }
  }
}

async function* sourcesAt(file: string, shown: string): AsyncGenerator<SourceFile> {
  if (isArchive(file)) {
    const { openArchive } = await import('./archive.ts');
    yield* await openArchive(file, shown);
  } else {
    yield { path: shown, read: () => readDisk(file) };
  }
}

async function* sourcesOf(file: string): AsyncGenerator<SourceFile> {
  const shown = path.basename(path.resolve(file));
  if (!lstatSync(file).isDirectory()) return yield* sourcesAt(file, shown);
  for (const [inside, name] of walk(file, shown, 0)) yield* sourcesAt(inside, name);
}

/** The two files of a CrewAI project are one source. */
function withCrews(files: readonly SourceFile[]): SourceFile[] {
  const crews = findCrews(files.map(({ path }) => path));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const joined = new Set([...crews.values()].map(({ tasks }) => tasks));
  return files.flatMap((file): SourceFile[] => {
    const crew = crews.get(file.path);
    const tasks = crew && byPath.get(crew.tasks);
    if (crew === undefined || tasks === undefined) return joined.has(file.path) ? [] : [file];
    const read = (): ReturnType<SourceFile['read']> => {
      const [own, other] = [file.read(), tasks.read()];
      if (typeof own !== 'string') return own;
      return typeof other === 'string' ? joinCrew(own, other) : other;
    };
    return [{ path: crew.path, read }];
  });
}

/**
 * Everything that the named files, folders and archives offer, in the order of the words and inside
 * of them by name. At most 5,000 files. @throws CommandFailure, UsageFailure
 */
export async function listSources(paths: readonly string[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of paths) {
    try {
      for await (const source of sourcesOf(file)) {
        found.push(source);
        if (found.length > MAX_FILES) {
          throw new UsageFailure(`More than ${MAX_FILES} files; import them in parts.`);
        }
      }
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      throw new CommandFailure(`${file} cannot be read (${code}).`);
    }
  }
  return withCrews(found);
}
