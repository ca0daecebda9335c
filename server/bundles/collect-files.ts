import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BundleFile } from '../contract/bundle.ts';
import { isObject, type Json } from '../kernel/json.ts';
import { isBuiltIn } from '../runtime/handler-registry.ts';
import { findProjectFunction } from '../runtime/project-functions.ts';
import { confinePath } from '../runtime/spec-files.ts';
import { implementationsOf } from '../spec/reports/bundle-needs.ts';
import type { Spec } from '../spec/schema/spec-types.ts';
import { BUNDLE_LIMITS } from './limits.ts';
import { BundleRefusal } from './refusal.ts';
import type { PackedFile } from './write-bundle.ts';

const CODE = /\.(?:[mc]?[jt]s)$/;
const SUFFIXES = ['', '.ts', '.mts', '.js', '.mjs', '.json'];
const QUOTED_PATH = /["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g;
const IMPORTED = /\b(?:from|import|require)\s{0,8}\(?\s{0,8}["']([^"'\n]{1,200})["']/g;
const SPEC_FILE = /\.(?:ya?ml|json)$/i;
const REFERENCE_KEYS: ReadonlySet<string> = new Set(['ref', 'source', 'spec_path']);

type Role = BundleFile['role'];

/** What a spec names in the tree of its project. */
export interface Collected {
  readonly files: readonly PackedFile[];
  /** Implementations that are functions of the project. */
  readonly functions: readonly string[];
  /** Implementations that the platform must offer. */
  readonly steps: readonly string[];
  readonly packages: readonly string[];
  /** Files that the spec names and that stay at home. */
  readonly left: readonly string[];
}

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** True for what people keep settings and secrets in (`.env`, `.git`), drafts of the studio apart. */
function isHidden(place: string): boolean {
  return place.split('/').some((part) => /^\.[^.]/.test(part) && part !== '.studio');
}

/** Gathers files of one tree; nothing outside of it is ever read. */
class Collector {
  readonly files = new Map<string, PackedFile>();
  readonly packages = new Set<string>();
  readonly left = new Set<string>();
  readonly #root: string;
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a file; false when the tree has none of that name. @throws BundleRefusal */
  async add(named: string, role: Role): Promise<boolean> {
    const place = path.posix.normalize(named.replaceAll('\\', '/'));
    if (this.files.has(place)) return true;
    if (isHidden(place)) {
      this.left.add(place);
      return false;
    }
    const confined = await confinePath(this.#root, place);
    if (!confined.ok || path.isAbsolute(place)) return false;
    const facts = await lstat(confined.path).catch(() => undefined);
    if (facts?.isFile() !== true) return false;
    this.#bytes += facts.size;
    if (facts.size > BUNDLE_LIMITS.fileBytes || this.#bytes > BUNDLE_LIMITS.bytes) {
      throw new BundleRefusal('bundle_too_large', `${place} makes the bundle too large.`);
    }
    const bytes = await readFile(confined.path).catch(() => {
      throw new BundleRefusal('file_unreadable', `${place} cannot be read.`);
    });
    this.files.set(place, { path: place, role, bytes });
    if (CODE.test(place)) await this.#addImports(place, bytes.toString('utf8'), role);
    return true;
  }

  async #addImports(from: string, text: string, role: Role): Promise<void> {
    for (const [, quoted = ''] of text.matchAll(QUOTED_PATH)) {
      const target = path.posix.join(path.posix.dirname(from), quoted);
      for (const suffix of SUFFIXES) {
        if (await this.add(`${target}${suffix}`, role)) break;
      }
    }
    for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
      if (!/^(?:[./#]|node:|file:|data:)/.test(specifier)) this.packages.add(packageOf(specifier));
    }
  }

  /** Adds a folder with everything in it but hidden files. @throws BundleRefusal */
  async addFolder(folder: string, role: Role): Promise<void> {
    const confined = await confinePath(this.#root, folder);
    if (!confined.ok) return;
    const entries = await readdir(confined.path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const place = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) await this.addFolder(place, role);
      else await this.add(place, role);
      if (this.files.size > BUNDLE_LIMITS.files) {
        throw new BundleRefusal('bundle_too_large', `${folder} holds too many files.`);
      }
    }
  }
}

/** Texts that name another file of the tree. */
function* referencesIn(value: Json, key = ''): Generator<string> {
  if (typeof value === 'string') {
    if (REFERENCE_KEYS.has(key) && SPEC_FILE.test(value)) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* referencesIn(item, key);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* referencesIn(item, name);
  }
}

type Server = Spec['mcp_servers'][string];

/** A program's own words that are files of the tree. */
async function addScripts(tree: Collector, server: Server): Promise<void> {
  for (const word of [server.command ?? '', ...(server.args ?? [])]) {
    if (/[./]/.test(word)) await tree.add(path.posix.join(server.cwd ?? '.', word), 'file');
  }
}

async function addServers(tree: Collector, spec: Spec): Promise<void> {
  for (const server of Object.values(spec.mcp_servers)) {
    await addScripts(tree, server);
    for (const file of [server.ca_bundle, server.client_cert]) {
      if (file !== null && !(await tree.add(file, 'file'))) tree.left.add(file);
    }
    if (server.client_key !== null) tree.left.add(server.client_key);
  }
}

async function addSkills(tree: Collector, spec: Spec): Promise<void> {
  for (const [name, { source }] of Object.entries(spec.skills)) {
    const before = tree.files.size;
    if (await tree.add(source, 'skill')) continue;
    await tree.addFolder(source, 'skill');
    if (
      tree.files.size === before &&
      ![...tree.files.keys()].some((file) => file.startsWith(source))
    )
      throw new BundleRefusal('file_unreadable', `The skill ${name} has no files in the project.`);
  }
}

/**
 * Finds what a spec names in the tree below `root`: its functions with what they import, skills,
 * programs' scripts, certificates and other files. Private keys stay at home.
 * @throws BundleRefusal
 */
export async function collectFiles(root: string, spec: Spec, document: Json): Promise<Collected> {
  const tree = new Collector(root);
  const functions: string[] = [];
  const steps: string[] = [];
  for (const name of implementationsOf(spec)) {
    const found = isBuiltIn(name) ? undefined : await findProjectFunction(root, name);
    if (found === undefined) steps.push(name);
    else {
      const place = ['functions', ...name.split('.').slice(0, -1)].join('/');
      await tree.add(`${place}${path.extname(found.file)}`, 'function');
      functions.push(name);
    }
  }
  await addSkills(tree, spec);
  await addServers(tree, spec);
  for (const file of referencesIn(document)) await tree.add(file, 'file');
  return {
    files: [...tree.files.values()],
    functions,
    steps,
    packages: [...tree.packages].sort(),
    left: [...tree.left].sort(),
  };
}
