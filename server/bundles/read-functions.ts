import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { confinePath } from '../runtime/spec-files.ts';
import { BUNDLE_LIMITS } from './limits.ts';
import { BundleRefusal } from './refusal.ts';
import type { PackedFile } from './write-bundle.ts';

const FUNCTIONS = 'functions';

/** How much one run may take along; beyond it nothing is packed. */
export interface FunctionsLimit {
  readonly bytes: number;
}

/** Reads a folder within limits; what a link in it leads out to is not read. */
class FunctionsReader {
  readonly files: PackedFile[] = [];
  readonly #folder: string;
  readonly #limit: FunctionsLimit;
  #bytes = 0;

  constructor(folder: string, limit: FunctionsLimit) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /** `above`: the real folders around this one, so that a link to one of them is not followed. */
  async addFolder(folder: string, name: string, above: readonly string[]): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const place = `${name}/${entry.name}`;
      const confined = await confinePath(this.#folder, path.join(folder, entry.name));
      if (!confined.ok) {
        const message = `${place} is a link that leads out of the functions folder; put a copy in its place.`;
        throw new BundleRefusal('unsafe_member', message);
      }
      const facts = await stat(confined.path);
      if (facts.isFile()) await this.#add(confined.path, place, facts.size);
      else if (facts.isDirectory() && !above.includes(confined.path)) {
        await this.addFolder(confined.path, place, [...above, confined.path]);
      }
    }
  }

  async #add(file: string, place: string, size: number): Promise<void> {
    this.#bytes += size;
    if (
      size > BUNDLE_LIMITS.fileBytes ||
      this.#bytes > this.#limit.bytes ||
      this.files.length >= BUNDLE_LIMITS.files - 2
    ) {
      const message = `The functions folder is more than a run may take along (${this.#limit.bytes / 1_048_576} MiB in all, 8 MiB in one file, 2,000 files; ${place} was one too many). Keep data elsewhere, or set SERV_CODE_MAX_MB.`;
      throw new BundleRefusal('bundle_too_large', message);
    }
    this.files.push({ path: place, role: 'function', bytes: await readFile(file) });
  }
}

/**
 * Every file of a project's `functions/` folder, as its code may read them; hidden files and packages
 * (`node_modules`) stay at home.
 * @throws BundleRefusal for a link that leads out, or beyond a limit; the system's error
 */
export async function readFunctions(root: string, limit: FunctionsLimit): Promise<PackedFile[]> {
  const folder = await realpath(path.join(root, FUNCTIONS));
  const reader = new FunctionsReader(folder, limit);
  await reader.addFolder(folder, FUNCTIONS, [folder]);
  return reader.files;
}
