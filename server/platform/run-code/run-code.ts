import { existsSync, mkdtempSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hashOf } from '../../bundles/hash-of.ts';
import { type OpenCode, openCodeBundle } from '../../bundles/open-bundle.ts';
import { readFunctions } from '../../bundles/read-functions.ts';
import { BundleRefusal } from '../../bundles/refusal.ts';
import { writeCodeBundle } from '../../bundles/write-bundle.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { CodeTree, CodeTrees } from '../../runtime/code-trees.ts';
import { versionOf } from '../../runtime/project-code.ts';
import { findProjectFunction } from '../../runtime/project-functions.ts';
import { refuse } from '../refuse.ts';
import type { CodeBundles } from './code-bundles-repository.ts';
import type { CodeSigners } from './code-signers.ts';
import { removeUnpacked, unpackedFolder } from './unpacked-code.ts';

// The functions that runs take along. The room promises: what a run calls is what its project's
// folder held when it was created, on whichever node; nothing is called whose signer the node does
// not trust, or of which a byte is another than was signed.

/** Why the functions of a run cannot be called here. */
export interface CodeProblem {
  readonly type: 'CodeNotTrusted' | 'CodeUnusable';
  readonly message: string;
}

export type FoundCode =
  /** `tree` is asked at each call: trust in a folder may be taken back meanwhile. */
  | { readonly ok: true; readonly tree: () => CodeTree }
  | { readonly ok: false; readonly problem: CodeProblem };

export interface RunCode {
  /**
   * Keeps the functions of a project for a run that is about to be stored; null where none of those
   * that it names is in the folder, or nobody trusts it here.
   * @throws Refusal code_too_large, invalid_request
   */
  pack(project: string | null, functions: readonly string[]): Promise<string | null>;
  /** True where this node has functions of a project, in a folder that is trusted. */
  hasFolder(project: string | null): boolean;
  /** The functions that a run was created with, proved and unpacked. */
  find(sha256: string, project: string | null): Promise<FoundCode>;
  /** Removes from the store what no run needs; how many. */
  forget(): Promise<number>;
  /** Removes from this machine what the store has no more. */
  forgetUnpacked(): Promise<void>;
  close(): Promise<void>;
}

interface RunCodeDeps {
  readonly trees: CodeTrees;
  readonly signers: CodeSigners;
  readonly bundles: CodeBundles;
  readonly clock: Clock;
  /** Of what one run may take along. */
  readonly maxBytes: number;
  /** Folder of unpacked code; undefined: one that passes. */
  readonly folder: string | undefined;
}

/** So often a content in use is marked as such, and so long one is kept without a mark. */
const MARK_MS = 600_000;
const KEEP_SECONDS = 3_600;

interface Opened {
  readonly keyId: string;
  readonly root: string;
  /** When its folder was marked. */
  markedAt: number;
}

/** The refusal of a request that needs such code. */
export function codeRefusal({ type, message }: CodeProblem): Refusal {
  return refuse(type === 'CodeNotTrusted' ? 'code_not_trusted' : 'code_unusable', { message });
}

function notTrusted(keyId: string): CodeProblem {
  const message = `The functions of the run were signed by the key ${keyId}, which this node does not trust; none was called. Where that node may say what runs here, add its key to SERV_CODE_SIGNERS and start the run again.`;
  return { type: 'CodeNotTrusted', message };
}

function unusable(why: string): CodeProblem {
  const message = `The functions that the run was created with ${why}; none was called. Start the run again from its project.`;
  return { type: 'CodeUnusable', message };
}

function packRefusal(error: unknown): unknown {
  if (!(error instanceof BundleRefusal)) return error;
  const code = error.code === 'bundle_too_large' ? 'code_too_large' : 'invalid_request';
  return refuse(code, { message: error.message });
}

class StoredCode implements RunCode {
  readonly #deps: RunCodeDeps;
  /** Of each folder of functions what was packed last. */
  readonly #packed = new Map<string, { readonly version: string; readonly sha256: string }>();
  readonly #packing = new Map<string, Promise<string>>();
  readonly #markedAt = new Map<string, number>();
  readonly #opened = new Map<string, Opened>();
  readonly #opening = new Map<string, Promise<Opened | CodeProblem>>();
  #folder: string | undefined;

  constructor(deps: RunCodeDeps) {
    this.#deps = deps;
    this.#folder = deps.folder;
  }

  async pack(project: string | null, functions: readonly string[]): Promise<string | null> {
    if (functions.length === 0) return null;
    const { root, trusted } = this.#deps.trees.find(project);
    if (!trusted || !(await hasAny(root, functions))) return null;
    const version = await versionOf(path.join(root, 'functions'));
    const known = this.#packed.get(root);
    if (known?.version === version && (await this.#mark(known.sha256))) return known.sha256;
    return once(this.#packing, `${root}\n${version}`, () => this.#pack(root, version));
  }

  hasFolder(project: string | null): boolean {
    const { root, trusted } = this.#deps.trees.find(project);
    return trusted && existsSync(path.join(root, 'functions'));
  }

  async #pack(root: string, version: string): Promise<string> {
    const { signers, bundles, clock, maxBytes } = this.#deps;
    try {
      const content = await writeCodeBundle(
        await readFunctions(root, { bytes: maxBytes }),
        signers.key(),
      );
      const sha256 = hashOf(content);
      if (!(await this.#mark(sha256))) await bundles.put(sha256, content);
      this.#markedAt.set(sha256, clock.now());
      this.#packed.set(root, { version, sha256 });
      return sha256;
    } catch (error) {
      throw packRefusal(error);
    }
  }

  /** Keeps a content from being removed; false when the store has it not. */
  async #mark(sha256: string): Promise<boolean> {
    const now = this.#deps.clock.now();
    const before = this.#markedAt.get(sha256);
    if (before !== undefined && Math.abs(now - before) < MARK_MS) return true;
    if (!(await this.#deps.bundles.touch(sha256))) return false;
    this.#markedAt.set(sha256, now);
    return true;
  }

  async find(sha256: string, project: string | null): Promise<FoundCode> {
    const known = this.#opened.get(sha256);
    const isThere = known !== undefined && existsSync(known.root);
    const opened = isThere ? known : await once(this.#opening, sha256, () => this.#open(sha256));
    if ('type' in opened) return { ok: false, problem: opened };
    const { trees, signers } = this.#deps;
    const trust = signers.trustIn(opened.keyId);
    if (trust === 'none') return { ok: false, problem: notTrusted(opened.keyId) };
    await this.#markFolder(opened);
    const tree = (): CodeTree => {
      const own = trees.find(project);
      const packages = path.join(own.root, 'functions', 'node_modules');
      return {
        root: opened.root,
        trusted: trust === 'named' || own.trusted,
        packages: own.trusted && existsSync(packages) ? packages : undefined,
      };
    };
    return { ok: true, tree };
  }

  async #open(sha256: string): Promise<Opened | CodeProblem> {
    const content = await this.#deps.bundles.content(sha256);
    if (content === undefined) return unusable('are missing in the store');
    if (hashOf(content) !== sha256) return unusable('were changed in the store');
    let code: OpenCode;
    try {
      code = await openCodeBundle(content);
    } catch (error) {
      if (error instanceof BundleRefusal) return unusable(`cannot be used (${error.code})`);
      throw error;
    }
    const { keyId } = code.signer;
    // What nobody trusts here is not even written to the disk.
    if (this.#deps.signers.trustIn(keyId) === 'none') return notTrusted(keyId);
    const root = await unpackedFolder(this.#base(), sha256, code.files);
    const opened = { keyId, root, markedAt: 0 };
    this.#opened.set(sha256, opened);
    return opened;
  }

  async #markFolder(opened: Opened): Promise<void> {
    const now = this.#deps.clock.now();
    if (Math.abs(now - opened.markedAt) < MARK_MS) return;
    opened.markedAt = now;
    await utimes(opened.root, now / 1000, now / 1000);
  }

  #base(): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'specwright-code-'));
    return this.#folder;
  }

  forget(): Promise<number> {
    return this.#deps.bundles.removeUnneeded(KEEP_SECONDS);
  }

  async forgetUnpacked(): Promise<void> {
    if (this.#folder === undefined) return;
    const { bundles, clock } = this.#deps;
    const olderThan = clock.now() - KEEP_SECONDS * 1000;
    await removeUnpacked(this.#folder, olderThan, (name) => bundles.has(name));
  }

  async close(): Promise<void> {
    if (this.#deps.folder !== undefined || this.#folder === undefined) return;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** One work for all who ask for the same at once. */
async function once<T>(
  pending: Map<string, Promise<T>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const known = pending.get(key);
  if (known !== undefined) return known;
  const made = work().finally(() => pending.delete(key));
  pending.set(key, made);
  return made;
}

async function hasAny(root: string, functions: readonly string[]): Promise<boolean> {
  for (const name of functions) {
    if ((await findProjectFunction(root, name)) !== undefined) return true;
  }
  return false;
}

/** The functions that runs take along, in the store and unpacked on this machine. */
export function createRunCode(deps: RunCodeDeps): RunCode {
  return new StoredCode(deps);
}
