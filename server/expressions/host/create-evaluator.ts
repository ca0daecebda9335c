import { Worker } from 'node:worker_threads';
import { threadFile } from '../../store/thread-file.ts';
import { threadLimits } from '../../store/thread-limits.ts';
import type {
  CodeAnswer,
  CodeOutcome,
  CodeText,
  Evaluator,
  Services,
  StepContext,
} from '../port/evaluator.ts';
import {
  DEFAULT_LIMITS,
  ExpressionFailure,
  type ExpressionFailureCode,
  type ExpressionLimits,
  GRACE_MS,
} from '../port/limits.ts';
import { decodeResults, type Value } from '../port/values.ts';
import { itemWords } from './item-words.ts';
import { readPlainly } from './plain-reads.ts';
import { referencesIn } from './references.ts';
import { seenItems } from './seen-items.ts';
import type {
  CodeWords,
  EvaluateWords,
  ExpressionThreadSetup,
  FromExpressionThread,
  ToExpressionThread,
} from './thread-words.ts';

const LOOK_MS = 250;
/** Bytes that results and items may take beside the interpreters' own memory. */
const THREAD_MEMORY_MB = 1_024;
/** The engine's frames stand on the thread's stack. */
const STACK_MB = 32;

interface Call {
  readonly words: EvaluateWords | CodeWords;
  readonly services: Services;
  /** It asked for something outside: it is not run twice. */
  hasAsked: boolean;
  resolve(answer: FromExpressionThread): void;
  reject(error: ExpressionFailure): void;
}

function serialized(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // V8 makes no text of that length.
    if (error instanceof RangeError) throw new ExpressionFailure('expression_input_too_large');
    throw error;
  }
}

function answersOf(text: string): CodeAnswer[] {
  const answers = JSON.parse(text) as CodeAnswer[];
  if (answers.every(({ kind }) => kind === 'value' || kind === 'threw')) return answers;
  throw new TypeError('no answers');
}

/** What was computed may have changed what it is written by: then it says nothing. */
function readOf<Read>(text: string, read: (text: string) => Read): Read {
  try {
    return read(text);
  } catch {
    throw new ExpressionFailure('expression_engine_failed');
  }
}

/** One thread of interpreters. A computation that its own limit cannot stop costs the thread. */
class ThreadEvaluator implements Evaluator {
  readonly #file: string;
  readonly #limits: ExpressionLimits;
  readonly #calls = new Map<number, Call>();
  /** Calls that nobody waits for, which the thread may still have before it. */
  readonly #givenUp = new Set<number>();
  #thread: Worker | undefined;
  #pulse = new Int32Array(new SharedArrayBuffer(8));
  #watch: NodeJS.Timeout | undefined;
  #seen = { turn: -1, since: 0 };
  #next = 1;
  #isClosed = false;

  constructor(file: string, limits: ExpressionLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  async evaluate(
    step: StepContext,
    expressions: readonly string[],
    places?: readonly number[],
  ): Promise<readonly (readonly Value[])[]> {
    this.#mustServe(step.signal);
    const read = readPlainly(step, expressions, places);
    if (read !== null) return read;
    const seen = { ...step, items: seenItems(step.items, expressions) };
    const answer = await this.#call(
      {
        type: 'evaluate',
        ...this.#stepWords(seen, expressions),
        expressions,
        places: places ?? null,
      },
      step.signal,
    );
    return answer.type === 'evaluated' ? readOf(answer.text, decodeResults) : [];
  }

  async runCode(step: StepContext, code: CodeText, services: Services = {}): Promise<CodeOutcome> {
    this.#mustServe(step.signal);
    const answer = await this.#call(
      { type: 'code', ...this.#stepWords(step, [code.source]), ...code },
      step.signal,
      services,
    );
    if (answer.type !== 'ran') return { answers: [], log: [] };
    return { answers: readOf(answer.text, answersOf), log: answer.log };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls.values())
      call.reject(new ExpressionFailure('expression_thread_lost'));
    this.#calls.clear();
    await this.#stop();
  }

  #stepWords({ session, facts, items, reader }: StepContext, texts: readonly string[]) {
    const { names, wish } = referencesIn(texts);
    const { shape, given } = itemWords(items);
    const itemsText = serialized(given);
    let length = itemsText.length;
    const nodes: Record<string, string> = {};
    for (const name of names === 'all' ? reader.names() : names) {
      const text = serialized(reader.look(name, wish));
      length += text.length;
      nodes[name] = text;
      if (length > this.#limits.textLength) break;
    }
    if (length > this.#limits.textLength) throw new ExpressionFailure('expression_input_too_large');
    const id = this.#next;
    this.#next = (id % 0x7fff_ffff) + 1;
    return { id, session, facts: serialized(facts), items: itemsText, shape, nodes };
  }

  #mustServe(signal: StepContext['signal']): void {
    if (this.#isClosed) throw new ExpressionFailure('expression_thread_lost');
    if (signal?.aborted === true) throw new ExpressionFailure('expression_given_up');
  }

  async #call(
    words: EvaluateWords | CodeWords,
    signal: StepContext['signal'],
    services: Services = {},
  ): Promise<FromExpressionThread> {
    const { promise, resolve, reject } = Promise.withResolvers<FromExpressionThread>();
    const giveUp = (): void => this.#giveUp(words.id);
    signal?.addEventListener('abort', giveUp);
    this.#calls.set(words.id, { words, services, hasAsked: false, resolve, reject });
    const thread = this.#running();
    // A thread without work keeps no process alive.
    thread.ref();
    thread.postMessage(words);
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** A computation that nobody wants costs its thread; one that waits is only told. */
  #giveUp(id: number): void {
    const call = this.#calls.get(id);
    const thread = this.#thread;
    if (call === undefined || thread === undefined) return;
    this.#calls.delete(id);
    call.reject(new ExpressionFailure('expression_given_up'));
    if (Atomics.load(this.#pulse, 0) === id) {
      this.#replace(thread);
      return;
    }
    this.#givenUp.add(id);
    thread.postMessage({ type: 'stop', id } satisfies ToExpressionThread);
    if (this.#calls.size === 0) this.#rest();
  }

  /** Another thread does what is left. */
  #replace(thread: Worker): void {
    this.#lost(thread, 'expression_timeout');
    if (this.#calls.size === 0) this.#rest();
    void thread.terminate();
  }

  #running(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    this.#pulse = new Int32Array(new SharedArrayBuffer(8));
    const { execArgv, resourceLimits } = threadLimits(THREAD_MEMORY_MB);
    const workerData: ExpressionThreadSetup = { limits: this.#limits, pulse: this.#pulse };
    const thread = new Worker(this.#file, {
      workerData,
      name: 'expressions',
      execArgv: [...execArgv, '--disable-warning=ExperimentalWarning'],
      resourceLimits: { ...resourceLimits, stackSizeMb: STACK_MB },
    });
    thread.on('message', (words: FromExpressionThread) => this.#take(thread, words));
    // The exit that follows tells; without a listener the error would end the program.
    thread.on('error', () => undefined);
    thread.on('exit', () => this.#lost(thread, 'expression_out_of_memory'));
    this.#thread = thread;
    return thread;
  }

  #take(thread: Worker, words: FromExpressionThread): void {
    const call = this.#calls.get(words.id);
    if (call === undefined || thread !== this.#thread) return;
    if (words.type === 'asks') {
      call.hasAsked = true;
      void this.#serve(thread, call, words);
      return;
    }
    this.#calls.delete(words.id);
    if (this.#calls.size === 0) this.#rest();
    if (words.type === 'failed') call.reject(new ExpressionFailure(words.code));
    else call.resolve(words);
  }

  async #serve(
    thread: Worker,
    { words, services }: Call,
    { call, service, argument }: Extract<FromExpressionThread, { type: 'asks' }>,
  ): Promise<void> {
    const answer = { type: 'answer', id: words.id, call } as const;
    const serve = Object.hasOwn(services, service) ? services[service] : undefined;
    try {
      if (serve === undefined) throw new Error(`${service} is not available to this step`);
      const text = JSON.stringify((await serve(argument)) ?? null);
      thread.postMessage({ ...answer, isDone: true, text });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      thread.postMessage({ ...answer, isDone: false, text: JSON.stringify(why) });
    }
  }

  #rest(): void {
    this.#thread?.unref();
    this.#seen = { turn: -1, since: 0 };
  }

  /** Ends the thread when one turn takes longer than the interpreter's own limit could let it. */
  #look(): void {
    // Not when the last call ends: most often the next one is there before this look.
    if (this.#calls.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    const id = Atomics.load(this.#pulse, 0);
    const turn = Atomics.load(this.#pulse, 1);
    const now = performance.now();
    const thread = this.#thread;
    if (thread !== undefined && this.#givenUp.has(id)) {
      this.#replace(thread);
      return;
    }
    if (id === 0 || turn !== this.#seen.turn) {
      this.#seen = { turn, since: now };
      return;
    }
    const isCode = this.#calls.get(id)?.words.type === 'code';
    // Expressions are limited in time of the processor, which the machine may give to others.
    const limit = isCode ? this.#limits.codeMs : 3 * this.#limits.evaluateMs;
    if (now - this.#seen.since < limit + GRACE_MS || thread === undefined) return;
    this.#replace(thread);
  }

  /** The call that computed fails; the others are computed by the next thread. */
  #lost(thread: Worker, code: ExpressionFailureCode): void {
    if (thread !== this.#thread) return;
    this.#thread = undefined;
    this.#givenUp.clear();
    const guilty = Atomics.load(this.#pulse, 0);
    const again: Call[] = [];
    for (const [id, call] of this.#calls) {
      if (id !== guilty && guilty !== 0 && !call.hasAsked) {
        again.push(call);
        continue;
      }
      this.#calls.delete(id);
      call.reject(new ExpressionFailure(id === guilty ? code : 'expression_thread_lost'));
    }
    for (const { words } of again) this.#running().postMessage(words);
  }

  async #stop(): Promise<void> {
    this.#rest();
    clearInterval(this.#watch);
    this.#watch = undefined;
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

export interface ClosableEvaluator extends Evaluator {
  close(): Promise<void>;
}

/** Starts no thread before the first step that needs it. */
export function createEvaluator(limits: Partial<ExpressionLimits> = {}): ClosableEvaluator {
  const file = threadFile('expression-thread', import.meta.dirname);
  if (file === undefined) throw new Error('the program has no expression-thread');
  return new ThreadEvaluator(file, { ...DEFAULT_LIMITS, ...limits });
}
