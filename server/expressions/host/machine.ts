import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import {
  ExpressionFailure,
  type ExpressionFailureCode,
  type ExpressionLimits,
} from '../port/limits.ts';
import { ENGINE } from './engine.ts';
import { guestEntry, guestModule, guestModuleName } from './guest-modules.ts';
import { answerOf } from './host-answers.ts';

/** What a step asks while it computes, beside formats and hashes. */
export interface StepHost {
  /** The look at an earlier step, as a JSON text. */
  node(name: string): string;
  log(text: string): void;
  timer(id: number, ms: number): void;
  later(id: number, service: string, argument: unknown): void;
  /** The engine ended the code: its words for why. */
  broken(message: string): void;
  done(answers: string): void;
}

const STACK_BYTES = 768 * 1024;
const MIB = 1024 * 1024;
/** The name of errors by which the engine ends what passes a limit. */
export const ENGINE_ERROR = 'InternalError';

const CODES: readonly (readonly [RegExp, ExpressionFailureCode])[] = [
  [/^interrupted$/, 'expression_timeout'],
  [/^out of memory$/, 'expression_out_of_memory'],
  [/^stack overflow$/, 'expression_too_deep'],
];

/** Milliseconds that this thread has computed: other work of the machine does not count. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface Realm {
  readonly context: QuickJSContext;
  readonly entry: QuickJSHandle;
}

/** The failure for an error of the engine, which has names and words and no codes. */
export function failureOf(name: unknown, words: string): ExpressionFailure {
  const found = CODES.find(([pattern]) => pattern.test(words))?.[1];
  const isLimit = found !== undefined && name === ENGINE_ERROR;
  return new ExpressionFailure(isLimit ? found : 'expression_engine_failed');
}

function asFailure(error: unknown): ExpressionFailure {
  // The engine's own stack inside of the host's is used up before the engine sees its limit.
  if (error instanceof RangeError) return new ExpressionFailure('expression_too_deep');
  const told = error as { name?: unknown; message?: unknown } | null;
  return failureOf(told?.name, String(told?.message));
}

/** The entries of an interpreter's realms. */
export interface MachineRealms {
  readonly expressions: string;
  readonly code: string;
}

export const STEP_REALMS: MachineRealms = { expressions: 'expression-guest', code: 'code-guest' };
/** One realm, for queries alone: their library takes longer to load than all else. */
export const SQL_REALMS: MachineRealms = { expressions: 'sql-guest', code: 'sql-guest' };

/**
 * One interpreter: an engine in WebAssembly with a realm for expressions and one for code. Its whole
 * state is one memory, kept from before the first step: `renew` lays it back, so that nothing of a
 * run can be found by the next one.
 */
export class Machine {
  readonly #module: QuickJSWASMModule;
  readonly #runtime: QuickJSRuntime;
  readonly #expressions: Realm;
  readonly #code: Realm;
  readonly #first: Uint8Array;
  #host: StepHost | undefined;
  #isOver: () => boolean = () => false;
  #isSpoiled = false;

  /** What the steps of the session have compiled: expressions, and code. */
  readonly known = new Set<number>();
  readonly knownCode = new Set<number>();
  session: string | undefined;
  /** A step computes or waits in it. */
  isTaken = false;

  private constructor(module: QuickJSWASMModule, limits: ExpressionLimits, realms: MachineRealms) {
    this.#module = module;
    this.#runtime = module.newRuntime();
    this.#runtime.setMemoryLimit(limits.memoryMb * MIB);
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setModuleLoader(guestModule, guestModuleName);
    this.#runtime.setInterruptHandler(() => this.#isOver());
    this.#expressions = this.#realm(realms.expressions);
    this.#code = realms.code === realms.expressions ? this.#expressions : this.#realm(realms.code);
    // What runs from now on is not ours: a loader would read files of the machine for it.
    this.#runtime.removeModuleLoader();
    this.#first = new Uint8Array(this.#memory()).slice();
  }

  static async create(limits: ExpressionLimits, realms: MachineRealms): Promise<Machine> {
    return new Machine(await newQuickJSWASMModuleFromVariant(ENGINE), limits, realms);
  }

  /** It holds what a failure left, or more memory than at first: it is not to be used again. */
  get isSpoiled(): boolean {
    return this.#isSpoiled || this.#memory().byteLength > this.#first.byteLength;
  }

  #memory(): ArrayBufferLike {
    return this.#module.getWasmMemory().buffer;
  }

  /** Makes it what it was before its first step, for another session. */
  renew(session: string): void {
    if (this.session !== undefined) new Uint8Array(this.#memory()).set(this.#first);
    this.known.clear();
    this.knownCode.clear();
    this.session = session;
  }

  /** The names that the rewriting of expressions rests on. */
  names(): { extensions: string[]; scope: string[] } {
    const { context, entry } = this.#expressions;
    return JSON.parse(this.#textOf(context, this.#call(context, entry, 'names', []))) as {
      extensions: string[];
      scope: string[];
    };
  }

  evaluate(request: string, items: string, host: StepHost, ms: number): string {
    const begun = computedMs();
    const isOver = (): boolean => computedMs() - begun > ms;
    return this.#guarded(host, isOver, () => {
      const { context, entry } = this.#expressions;
      return this.#textOf(context, this.#call(context, entry, 'evaluate', [request, items]));
    });
  }

  startCode(request: string, items: string, host: StepHost, deadline: number): void {
    this.#turn(host, deadline, 'start', [request, items]);
  }

  fireTimer(id: number, host: StepHost, deadline: number): void {
    this.#turn(host, deadline, 'fireTimer', [id]);
  }

  settle(id: number, isDone: boolean, text: string, host: StepHost, deadline: number): void {
    this.#turn(host, deadline, 'settle', [id, isDone, text]);
  }

  /** Calls a function of the code's realm and does all that is then ready. */
  #turn(host: StepHost, deadline: number, name: string, words: readonly Word[]): void {
    const isOver = (): boolean => performance.now() > deadline;
    this.#guarded(host, isOver, () => {
      const { context, entry } = this.#code;
      this.#call(context, entry, name, words).dispose();
      const jobs = this.#runtime.executePendingJobs();
      if (jobs.error === undefined) return;
      const told: unknown = jobs.error.context.dump(jobs.error);
      jobs.error.dispose();
      throw told;
    });
  }

  #guarded<Answer>(host: StepHost, isOver: () => boolean, work: () => Answer): Answer {
    this.#host = host;
    this.#isOver = isOver;
    try {
      return work();
    } catch (error) {
      this.#isSpoiled = true;
      throw error instanceof ExpressionFailure ? error : asFailure(error);
    } finally {
      this.#host = undefined;
    }
  }

  #realm(name: string): Realm {
    const context = this.#runtime.newContext();
    const ask = context.newFunction('askTheHost', (operation, argument) => {
      const answer = this.#answer(context.getString(operation), context.getString(argument));
      return answer === '' ? context.undefined : context.newString(answer);
    });
    context.setProp(context.global, 'askTheHost', ask);
    ask.dispose();
    const file = guestEntry(name);
    const text = `export * from ${JSON.stringify(file)};`;
    const entry = context.unwrapResult(context.evalCode(text, `${name}.mjs`, { type: 'module' }));
    return { context, entry };
  }

  #answer(operation: string, argument: string): string {
    const host = this.#host;
    const answer = answerOf(operation, argument);
    if (answer !== undefined) return answer;
    if (host === undefined) throw new Error('no step is running');
    if (operation === 'done') {
      host.done(argument);
      return '';
    }
    const given = JSON.parse(argument) as never;
    switch (operation) {
      case 'node':
        return host.node(given);
      case 'log':
        host.log(given);
        break;
      case 'timer':
        host.timer(...(given as [number, number]));
        break;
      case 'later':
        host.later(...(given as [number, string, unknown]));
        break;
      case 'broken':
        this.#isSpoiled = true;
        host.broken(given);
        break;
      default:
        throw new Error(`the host has no ${operation}`);
    }
    return 'null';
  }

  #call(
    context: QuickJSContext,
    entry: QuickJSHandle,
    name: string,
    words: readonly Word[],
  ): QuickJSHandle {
    const handles = words.map((word) => handleOf(context, word));
    const called = context.getProp(entry, name);
    try {
      const result = context.callFunction(called, context.undefined, ...handles);
      if (result.error === undefined) return result.value;
      const told: unknown = context.dump(result.error);
      result.error.dispose();
      throw told;
    } finally {
      for (const handle of handles) handle.dispose();
      called.dispose();
    }
  }

  #textOf(context: QuickJSContext, handle: QuickJSHandle): string {
    try {
      return context.getString(handle);
    } finally {
      handle.dispose();
    }
  }
}

type Word = string | number | boolean;

function handleOf(context: QuickJSContext, word: Word): QuickJSHandle {
  if (typeof word === 'string') return context.newString(word);
  if (typeof word === 'number') return context.newNumber(word);
  return word ? context.true : context.false;
}
