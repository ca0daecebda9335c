import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PLATFORM_ERRORS } from '../../contract/platform/errors.ts';
import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import type { RunCreate } from '../../contract/platform/runs.ts';
import type { RerunEdits, RerunRequest } from '../../engine/rerun.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { isHeavier } from '../../kernel/json-weight.ts';
import type { CodeTreesSetting } from '../../runtime/code-trees.ts';
import type { HandlerRegistry } from '../../runtime/handler-registry.ts';
import type { SpecFormat } from '../../spec/yaml/parse-yaml.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, type ThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import { LARGE_SPEC } from '../large-spec.ts';
import type { PolicyStore } from '../policies/policies-repository.ts';
import type { Verdicts } from '../policies/verdicts.ts';
import { refuse } from '../refuse.ts';
import type { CheckPlaces, CheckSetting } from './check-places.ts';
import { type FrozenRun, freezeRun } from './freeze-run.ts';
import type { SpecSource } from './load-documents.ts';
import {
  type MadeRecovery,
  makeRecovery,
  type RecoveryAsked,
  type RecoveryOrigin,
} from './recover-work.ts';
import { editsOf, type MadeRerun, makeRerun, type RerunOrigin } from './rerun-work.ts';
import type { Outcome, SpecThreadWork } from './spec-thread-work.ts';
import {
  type CheckedInput,
  FROZEN_READS,
  SPEC_CHECKS,
  type SpecAnswer,
  skillsBlock,
  verdictsOf,
} from './spec-work.ts';

/** No honest spec takes so long; what does is refused. */
const LIMIT_MS = 60_000;

/** Reads specs: small ones where it is asked, large ones beside the event loop, with the same answers. */
export interface SpecReader {
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
  /** @throws Refusal as makeRecovery. */
  recover(origin: RecoveryOrigin, spec: JsonObject, asked: RecoveryAsked): Promise<MadeRecovery>;
  /** The `skills` block of a document's text; undefined when the text is no document. */
  skills(text: string, format: SpecFormat): Promise<Json | undefined>;
  close(): Promise<void>;
}

/** What a check asks of the service, and what of it goes to a thread. */
interface ReaderDeps extends CheckPlaces {
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

/** Whether reading the documents takes long; what cannot be read weighs nothing. */
async function weighsMuch(root: string, source: SpecSource): Promise<boolean> {
  const { spec, spec_path: file, overlays } = source;
  if (isHeavier([spec, source.overrides], LARGE_SPEC)) return true;
  const files = [...(spec === null && file ? [file] : []), ...overlays];
  const sizes = await Promise.all(files.map((each) => fileSize(root, each)));
  return sizes.reduce((sum, size) => sum + size, 0) > LARGE_SPEC;
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
export function createSpecReader(deps: ReaderDeps): SpecReader {
  const file = threadFile('spec-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool<SpecThreadWork>(file, 1);

  const setting = (): CheckSetting => ({
    specRoot: deps.specRoot,
    trees: deps.treesSetting,
    handlers: deps.handlers.names(),
    config: deps.config,
    policies: deps.policies.all(),
  });
  const inThread = async <Value>(
    ask: (work: ThreadPool<SpecThreadWork>) => Promise<Outcome<Value>>,
  ): Promise<Value> => {
    if (pool === undefined) throw new TypeError('there is no thread for large specs');
    try {
      return told(await ask(pool));
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error;
      const message = `The spec takes more than ${LIMIT_MS / 1000} s or too much memory to read.`;
      throw refuse('invalid_request', { message });
    }
  };
  const isLong = (text: string): boolean => pool !== undefined && text.length > LARGE_SPEC;
  const isLarge = async (source: SpecSource): Promise<boolean> =>
    pool !== undefined && (await weighsMuch(deps.specRoot, source));

  return {
    async check(name, input) {
      return (await isLarge(input))
        ? inThread(({ run }) => run('check', [setting(), name, JSON.stringify(input)], LIMIT_MS))
        : SPEC_CHECKS[name](deps, input);
    },
    async frozen(name, createdMetadata) {
      return isLong(createdMetadata)
        ? inThread(({ run }) => run('frozen', [name, createdMetadata], LIMIT_MS))
        : FROZEN_READS[name](createdMetadata);
    },
    async freeze(body) {
      return (await isLarge(body))
        ? inThread(({ run }) => run('freeze', [setting(), JSON.stringify(body)], LIMIT_MS))
        : freezeRun(deps, body);
    },
    async verdicts(createdMetadata, before, after) {
      return isLong(createdMetadata)
        ? inThread(({ run }) => run('verdicts', [createdMetadata, before, after], LIMIT_MS))
        : verdictsOf(createdMetadata, before, after);
    },
    rerun: (origin, request, own) =>
      isLong(origin.createdMetadata)
        ? inThread(({ run }) => run('rerun', [setting(), origin, request, own], LIMIT_MS))
        : makeRerun(deps, origin, request, own),
    recover: (origin, spec, asked) =>
      isLong(origin.createdMetadata) || isHeavier(spec, LARGE_SPEC)
        ? inThread(({ run }) => run('recover', [setting(), origin, spec, asked], LIMIT_MS))
        : makeRecovery(deps, origin, spec, asked),
    edits: (origin, from) =>
      isLong(origin.createdMetadata)
        ? inThread(({ run }) => run('edits', [setting(), origin, from], LIMIT_MS))
        : editsOf(deps, origin, from),
    skills: async (text, format) =>
      isLong(text)
        ? inThread(({ run }) => run('skills', [text, format], LIMIT_MS))
        : skillsBlock(text, format),
    close: async () => pool?.close(),
  };
}
