import type { ListRequest } from '../../contract/platform/lists.ts';
import type { Log } from '../../kernel/log.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool } from '../../store/thread-pool.ts';
import { refuse } from '../refuse.ts';
import type { RunReader } from '../run-list/run-reader-repository.ts';
import { MAX_RESULT_EVENTS } from '../run-record/run-view.ts';
import type { TraceRepository } from '../stored-states/trace-repository.ts';
import type { AnswerThread, MadeAnswer } from './answer-thread.ts';
import { RUN_ANSWERS } from './answer-work.ts';

/** So many bytes are read and put together in a few milliseconds. */
const MUCH = 512 * 1024;
/** The longest run that is allowed takes seconds. */
const LIMIT_MS = 60_000;

/**
 * Answers of runs as JSON text. The room promises: the same text wherever it is made, and that a run
 * which holds much keeps no other request waiting.
 */
export interface RunAnswers {
  /** GET /runs/{id}. @throws Refusal not_found. */
  status(runId: string): Promise<string | Uint8Array>;
  /** What an operation answers that executed a run to its end. @throws Refusal not_found. */
  ended(runId: string): Promise<string | Uint8Array>;
  /** GET /runs; runs whose status is one of `brief`, or `*` for all, are told in brief. */
  list(
    seqs: readonly number[],
    request: ListRequest,
    total: number,
    brief?: readonly string[],
  ): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Deps {
  readonly runList: RunReader;
  readonly trace: TraceRepository;
  /** Path of the store, or `:memory:`, which no other thread can open. */
  readonly databaseFile: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Starts no thread before the first run that holds much. */
export function createRunAnswers(deps: Deps): RunAnswers {
  const { runList, trace, databaseFile, log } = deps;
  const file =
    databaseFile === ':memory:' ? undefined : threadFile('answer-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool<AnswerThread>(file, 1);

  const taken = ({ bytes, unread }: MadeAnswer): Uint8Array => {
    for (const { run_id, error } of unread) log.warn({ run_id, error }, 'a run cannot be read');
    if (bytes === null) throw refuse('not_found');
    return bytes;
  };
  const holdsMuch = (runId: string): boolean =>
    runList.weight(runId) > MUCH || trace.weight(runId, MAX_RESULT_EVENTS) > MUCH;
  const ofRun = (name: 'status' | 'ended') => async (runId: string) =>
    pool !== undefined && holdsMuch(runId)
      ? taken(await pool.run(name, [databaseFile, runId], LIMIT_MS))
      : RUN_ANSWERS[name](deps, runId);

  return {
    status: ofRun('status'),
    ended: ofRun('ended'),
    list: async (seqs, request, total, brief = []) => {
      const told = runList.briefs(seqs, brief);
      const briefs = seqs.flatMap((seq) => told.get(seq) ?? []);
      const whole = seqs.filter((seq) => !told.has(seq));
      return pool !== undefined && runList.listWeight(whole) > MUCH
        ? taken(await pool.run('list', [databaseFile, whole, request, total, briefs], LIMIT_MS))
        : RUN_ANSWERS.list(deps, whole, request, total, briefs);
    },
    close: async () => pool?.close(),
  };
}
