import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectRow } from '../../store/studio-tables.ts';

/** So many folders of a tree are watched; changes in others are seen when the tree is read again. */
const MAX_FOLDERS = 2000;
/** So many trees at once; the one that was longest not asked for is let go. */
const MAX_TREES = 4;
/** A tree that nobody asks for is watched no longer. */
const IDLE_MS = 120_000;
/** Elsewhere each folder is watched by itself, since only these systems watch what is below one. */
const RECURSIVE = process.platform === 'win32' || process.platform === 'darwin';

/** A file in one state of the disk: what it is need not be asked again before the next state. */
export interface SeenFile {
  readonly state: string;
  readonly look: 'spec' | 'text' | 'other';
}
type SeenFiles = ReadonlyMap<string, SeenFile>;

/** What one reading of a tree tells its watcher. */
export interface TreeSight {
  /** Files of the reading before, by their refs. */
  readonly seen: SeenFiles;
  /** A folder is about to be listed: from now on its changes are seen. */
  folder(segments: readonly string[]): void;
  /** The reading is over; folders that it did not meet are let go. */
  end(seen: SeenFiles): void;
  /** As it was before the reading. */
  readonly version: string;
}

/** The folder that stands at a project's root now. */
interface Root {
  readonly path: string;
  /** Another one when another folder took its place. */
  readonly identity: string;
}

async function rootOf(root: string): Promise<Root> {
  const real = await realpath(root);
  const { dev, ino } = await stat(real, { bigint: true });
  return { path: real, identity: `${dev}:${ino}:${real}` };
}

class WatchedTree {
  readonly root: Root;
  readonly #watchers = new Map<string, FSWatcher>();
  #version: string = randomUUID();
  #complete = true;
  #seen: SeenFiles = new Map();
  asked = performance.now();

  constructor(root: Root) {
    this.root = root;
  }

  get version(): string {
    return this.#version;
  }

  get complete(): boolean {
    return this.#complete && this.#watchers.size > 0;
  }

  /** What came or went may be a folder of the same name as the one that is watched: it is met anew. */
  #changed(key: string, event: string, name: string | null): void {
    this.#version = randomUUID();
    if (event !== 'rename' || name === null || RECURSIVE) return;
    const folder = key === '' ? name : `${key}/${name}`;
    for (const other of [...this.#watchers.keys()]) {
      if (other === folder || other.startsWith(`${folder}/`)) this.#let(other);
    }
  }

  #watch(key: string): void {
    if (this.#watchers.has(key)) return;
    if (this.#watchers.size >= MAX_FOLDERS) {
      this.#complete = false;
      return;
    }
    try {
      const options = { persistent: false, recursive: RECURSIVE };
      const watcher = watch(path.join(this.root.path, key), options, (event, name) =>
        this.#changed(key, event, name),
      );
      watcher.on('error', () => {
        this.#let(key);
        this.#changed(key, 'error', null);
      });
      this.#watchers.set(key, watcher);
    } catch {
      // The system has no watches left, or the folder is gone: the window reads the tree now and then.
      this.#complete = false;
    }
  }

  #let(key: string): void {
    this.#watchers.get(key)?.close();
    this.#watchers.delete(key);
  }

  look(): TreeSight {
    const met = new Set<string>();
    this.#complete = true;
    return {
      version: this.#version,
      seen: this.#seen,
      folder: (segments) => {
        const key = RECURSIVE ? '' : segments.join('/');
        met.add(key);
        this.#watch(key);
      },
      end: (seen) => {
        this.#seen = seen;
        for (const key of [...this.#watchers.keys()]) if (!met.has(key)) this.#let(key);
      },
    };
  }

  /** Refs of the files that the last reading listed. */
  get refs(): Iterable<string> {
    return this.#seen.keys();
  }

  close(): void {
    for (const key of [...this.#watchers.keys()]) this.#let(key);
  }
}

/** Watches the trees that a window shows, so that it reads one again only after a change. */
export class TreeWatch {
  readonly #trees = new Map<string, WatchedTree>();
  readonly #timer = setInterval(() => this.#letIdle(), IDLE_MS);

  constructor() {
    this.#timer.unref();
  }

  /** Begins a reading. @throws the system's error when the root cannot be opened. */
  async look(project: Pick<ProjectRow, 'id' | 'root'>): Promise<TreeSight> {
    const root = await rootOf(project.root);
    let tree = this.#trees.get(project.id);
    if (tree?.root.identity !== root.identity) {
      tree?.close();
      tree = new WatchedTree(root);
      this.#trees.set(project.id, tree);
      this.#letOldest();
    }
    tree.asked = performance.now();
    return tree.look();
  }

  /** The tree can be read no longer: what was seen of it is forgotten. */
  forget(projectId: string): void {
    this.#trees.get(projectId)?.close();
    this.#trees.delete(projectId);
  }

  /** Another version than at the last reading means that something changed, or that nobody watched. */
  version(projectId: string): { version: string; watched: boolean } {
    const tree = this.#trees.get(projectId);
    if (tree === undefined) return { version: randomUUID(), watched: false };
    tree.asked = performance.now();
    return { version: tree.version, watched: tree.complete };
  }

  /** Refs of the files that the last reading of a tree listed; none where nobody shows it. */
  refs(projectId: string): Iterable<string> {
    return this.#trees.get(projectId)?.refs ?? [];
  }

  #letOldest(): void {
    if (this.#trees.size <= MAX_TREES) return;
    const [oldest] = [...this.#trees].sort(([, a], [, b]) => a.asked - b.asked);
    if (oldest !== undefined) this.forget(oldest[0]);
  }

  #letIdle(): void {
    const now = performance.now();
    for (const [id, tree] of [...this.#trees]) if (now - tree.asked > IDLE_MS) this.forget(id);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const id of [...this.#trees.keys()]) this.forget(id);
  }
}
