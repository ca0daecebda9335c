import { Transfer, worker } from 'workerpool';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { openReader } from '../../store/open-reader.ts';
import { createRunReader } from '../run-list/run-reader-repository.ts';
import { createTraceRepository } from '../stored-states/trace-repository.ts';
import { type AnswerDeps, RUN_ANSWERS } from './answer-work.ts';

// Entry of a thread that makes the answers of runs which hold much.

interface Unread {
  readonly run_id: string;
  readonly error: string;
}

/** An answer as UTF-8, and runs that it leaves out; without bytes there is no such run. */
export interface MadeAnswer {
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly unread: readonly Unread[];
}

/** What the thread offers; `file` is the store. */
export interface AnswerThread {
  status(file: string, runId: string): MadeAnswer;
  ended(file: string, runId: string): MadeAnswer;
  list(
    file: string,
    seqs: readonly number[],
    request: ListRequest,
    total: number,
    briefs: readonly string[],
  ): MadeAnswer;
}

interface Opened {
  readonly file: string;
  readonly deps: AnswerDeps;
  readonly unread: Unread[];
}

let opened: Opened | undefined;

function open(file: string): Opened {
  const unread: Unread[] = [];
  const store = { sync: openReader(file) };
  const warn = ({ run_id, err }: Readonly<Record<string, unknown>>): void =>
    void unread.push({ run_id: String(run_id), error: String(err) });
  return {
    file,
    deps: { runList: createRunReader(store, { warn }), trace: createTraceRepository(store) },
    unread,
  };
}

function made(file: string, work: (deps: AnswerDeps) => string | Uint8Array): MadeAnswer {
  if (opened?.file !== file) opened = open(file);
  const { deps, unread } = opened;
  try {
    const text = work(deps);
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text);
    return { bytes, unread: unread.splice(0) };
  } catch (error) {
    if (error instanceof Refusal) return { bytes: null, unread: [] };
    throw error;
  }
}

const offered: AnswerThread = {
  status: (file, runId) => made(file, (deps) => RUN_ANSWERS.status(deps, runId)),
  ended: (file, runId) => made(file, (deps) => RUN_ANSWERS.ended(deps, runId)),
  list: (file, seqs, request, total, briefs) =>
    made(file, (deps) => RUN_ANSWERS.list(deps, seqs, request, total, briefs)),
};

/** The bytes are given away, not copied. */
function giving<Words extends unknown[]>(work: (...words: Words) => MadeAnswer) {
  return (...words: Words): InstanceType<typeof Transfer> => {
    const answer = work(...words);
    return new Transfer(answer, answer.bytes === null ? [] : [answer.bytes.buffer]);
  };
}

worker({
  status: giving(offered.status),
  ended: giving(offered.ended),
  list: giving(offered.list),
});
