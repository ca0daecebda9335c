import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PLATFORM_ERRORS } from '../../contract/platform/errors.ts';
import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import type { RunCreate } from '../../contract/platform/runs.ts';
import type { RerunEdits, RerunRequest } from '../../engine/rerun.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { CodeTreesSetting } from '../../runtime/code-trees.ts';
import type { HandlerRegistry } from '../../runtime/handler-registry.ts';
import type { SpecFormat } from '../../spec/parse-yaml.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { refuse } from '../refuse.ts';
import type { CheckPlaces, CheckSetting } from './check-places.ts';
import { type FrozenRun, freezeRun } from './freeze-run.ts';
import { LARGE_SPEC } from './large-spec.ts';
import type { SpecSource } from './load-documents.ts';
import { editsOf, type MadeRerun, makeRerun, type RerunOrigin } from './rerun-work.ts';
import {
  type CheckedInput,
  FROZEN_READS,
  SPEC_CHECKS,
  type SpecAnswer,
  skillsBlock,
  type Verdicts,
  verdictsOf,
} from './spec-work.ts';

/** No honest spec takes so long; what does is refused. */
const LIMIT_MS = 60_000;

/** What a thread answers: a value, or a refusal of the platform as values. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };

/** Reads specs: small ones where it is asked, large ones beside the event loop, with the same answers. */
export interface SpecThreads {
  /** One operation on a request's spec. @throws Refusal of that operation. */
  check(name: keyof typeof SPEC_CHECKS, input: CheckedInput): Promise<SpecAnswer>;
  /** A read of a run's own spec. @throws Refusal of that read. */
  frozen(name: keyof typeof FROZEN_READS, createdMetadata: string): Promise<SpecAnswer>;
  /** The spec of a new run. @throws Refusal in the order of contract/platform.md 2.1 step 10. */
  freeze(body: RunCreate): Promise<FrozenRun>;
  verdicts(
    createdMetadata: string,
    before: EnvironmentPolicy | null,
    after: EnvironmentPolicy,
  ): Promise<Verdicts | null>;
  /** @throws Refusal as makeRerun. */
  rerun(origin: RerunOrigin, request: RerunRequest, own: JsonObject): Promise<MadeRerun>;
  /** @throws Refusal as editsOf. */
  edits(origin: RerunOrigin, from: Pick<RerunRequest, 'point' | 'setup'>): Promise<RerunEdits>;
  /** The `skills` block of a document's text; undefined when the text is no document. */
  skills(text: string, format: SpecFormat): Promise<Json | undefined>;
  close(): Promise<void>;
}

/** What a check asks of the service, and what of it goes to a thread. */
interface ThreadsDeps extends CheckPlaces {
  readonly handlers: HandlerRegistry;
  readonly policies: PolicyStore;
  readonly treesSetting: CodeTreesSetting;
}

async function fileSize(root: string, file: string): Promise<number> {
  try {
    return (await stat(path.resolve(root, file))).size;
  } catch {
    return 0;
  }
}

/** Characters of the documents, about; what cannot be read counts nothing. */
async function sizeOf(root: string, source: SpecSource): Promise<number> {
  const inline = source.spec === null ? 0 : JSON.stringify(source.spec).length;
  const files = [
    ...(inline === 0 && source.spec_path ? [source.spec_path] : []),
    ...source.overlays,
  ];
  const sizes = await Promise.all(files.map((file) => fileSize(root, file)));
  return sizes.reduce((sum, size) => sum + size, inline);
}

function isCode(code: string): code is keyof typeof PLATFORM_ERRORS {
  return Object.hasOwn(PLATFORM_ERRORS, code);
}

function told<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  const { code, message, details } = outcome;
  if (!isCode(code)) throw new TypeError(`a thread refused with the unknown code ${code}`);
  throw refuse(code, { message, details });
}

/** Starts no thread before the first large spec. */
export function createSpecThreads(deps: ThreadsDeps): SpecThreads {
  const file = threadFile('spec-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool(file, 1);

  const setting = (): CheckSetting => ({
    specRoot: deps.specRoot,
    trees: deps.treesSetting,
    handlers: deps.handlers.names(),
    config: deps.config,
    policies: deps.policies.all(),
  });
  const inThread = async <Value>(name: string, words: readonly unknown[]): Promise<Value> => {
    if (pool === undefined) throw new TypeError('there is no thread for large specs');
    try {
      return told(await pool.run<Outcome<Value>>(name, words, LIMIT_MS));
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error;
      const message = `The spec takes more than ${LIMIT_MS / 1000} s or too much memory to read.`;
      throw refuse('invalid_request', { message });
    }
  };
  const isLong = (text: string): boolean => pool !== undefined && text.length > LARGE_SPEC;
  const isLarge = async (source: SpecSource): Promise<boolean> =>
    pool !== undefined && (await sizeOf(deps.specRoot, source)) > LARGE_SPEC;

  return {
    async check(name, input) {
      return (await isLarge(input))
        ? inThread('check', [setting(), name, JSON.stringify(input)])
        : SPEC_CHECKS[name](deps, input);
    },
    async frozen(name, createdMetadata) {
      return isLong(createdMetadata)
        ? inThread('frozen', [name, createdMetadata])
        : FROZEN_READS[name](createdMetadata);
    },
    async freeze(body) {
      return (await isLarge(body))
        ? inThread('freeze', [setting(), JSON.stringify(body)])
        : freezeRun(deps, body);
    },
    async verdicts(createdMetadata, before, after) {
      return isLong(createdMetadata)
        ? inThread('verdicts', [createdMetadata, before, after])
        : verdictsOf(createdMetadata, before, after);
    },
    rerun: (origin, request, own) =>
      isLong(origin.createdMetadata)
        ? inThread('rerun', [setting(), origin, request, own])
        : makeRerun(deps, origin, request, own),
    edits: (origin, from) =>
      isLong(origin.createdMetadata)
        ? inThread('edits', [setting(), origin, from])
        : editsOf(deps, origin, from),
    skills: async (text, format) =>
      isLong(text) ? inThread('skills', [text, format]) : skillsBlock(text, format),
    close: async () => pool?.close(),
  };
}
