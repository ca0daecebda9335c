import { UNKNOWN_NODE } from '../../items/reader.ts';
import { compileExpression } from '../compile/compile-expression.ts';
import { type PreparedCode, prepareCode } from '../compile/prepare-code.ts';
import type { KnownNames } from '../compile/rewrite.ts';
import type { CompiledExpression } from '../guest/evaluate.ts';
import type { CodeMode } from '../port/evaluator.ts';
import { ExpressionFailure, type ExpressionLimits } from '../port/limits.ts';
import { KeptByText } from './kept-by-text.ts';
import { ENGINE_ERROR, failureOf, type Machine, type StepHost } from './machine.ts';
import type { MachinePool } from './machine-pool.ts';
import type { CodeWords, EvaluateWords, FromExpressionThread } from './thread-words.ts';

const NO_NODE = JSON.stringify(UNKNOWN_NODE);
/** What is no JavaScript. */
const PLAIN_TEXTS: ReadonlySet<CodeMode> = new Set(['template', 'sql']);
const MOST_COMPILED = 5_000;
const MOST_PREPARED = 100;
const LOG_LINES = 1_000;
const LOG_LINE_LENGTH = 10_000;

interface Compiled {
  readonly number: number;
  readonly expression: CompiledExpression;
}

interface Prepared {
  readonly number: number;
  readonly code: PreparedCode;
}

/** A request as a JSON text, with the facts, which are one already. */
function requestText({ facts, shape }: CodeWords | EvaluateWords, rest: object): string {
  return `{"facts":${facts},${JSON.stringify({ shape, ...rest }).slice(1)}`;
}

/** Compiled expressions by their text. */
class Compiler {
  readonly #compiled = new KeptByText<Compiled>(MOST_COMPILED);
  #known: KnownNames | undefined;
  #next = 1;

  compile(text: string, machine: Machine): Compiled {
    return this.#compiled.get(text, () => {
      const names = this.#known ?? machine.names();
      this.#known ??= { scope: new Set(names.scope), extensions: new Set(names.extensions) };
      const number = this.#next;
      this.#next += 1;
      return { number, expression: compileExpression(text, this.#known) };
    });
  }
}

/** Where interpreters come from. */
export interface MachinePools {
  readonly steps: MachinePool;
  /** Makes none before the first query. */
  readonly queries: MachinePool;
}

interface Running {
  readonly machine: Machine;
  readonly pool: MachinePool;
  readonly host: StepHost;
  readonly deadline: number;
  readonly timers: Set<NodeJS.Timeout>;
  /** Ends it, whatever it waits for; there is none before it waits. */
  limit: NodeJS.Timeout | undefined;
  asked: number;
}

/** Does the work of the thread: evaluates, runs code, lets code wait. */
export class StepWork {
  readonly #pools: MachinePools;
  readonly #limits: ExpressionLimits;
  readonly #tell: (words: FromExpressionThread) => void;
  readonly #beat: (id: number) => void;
  readonly #compiler = new Compiler();
  readonly #prepared = new KeptByText<Prepared>(MOST_PREPARED);
  #nextCode = 1;
  readonly #running = new Map<number, Running>();

  constructor(
    pools: MachinePools,
    limits: ExpressionLimits,
    tell: (words: FromExpressionThread) => void,
    beat: (id: number) => void,
  ) {
    this.#pools = pools;
    this.#limits = limits;
    this.#tell = tell;
    this.#beat = beat;
  }

  async evaluate(words: EvaluateWords): Promise<void> {
    const pool = this.#pools.steps;
    const machine = await pool.take(words.session);
    try {
      const text = this.#computing(words.id, () => this.#evaluated(machine, words));
      if (text.length > this.#limits.textLength)
        throw new ExpressionFailure('expression_output_too_large');
      this.#tell({ type: 'evaluated', id: words.id, text });
    } catch (error) {
      this.#failed(words.id, error);
    } finally {
      pool.release(machine);
    }
  }

  #evaluated(machine: Machine, words: EvaluateWords): string {
    const sources: Record<string, CompiledExpression> = {};
    const compiled = words.expressions.map((text) => this.#compiler.compile(text, machine));
    for (const { number, expression } of compiled) {
      if (machine.known.has(number)) continue;
      sources[number] = expression;
      machine.known.add(number);
    }
    const request = requestText(words, {
      keys: compiled.map(({ number }) => number),
      sources,
      at: words.places,
    });
    const host: StepHost = {
      node: (name) => words.nodes[name] ?? NO_NODE,
      log: () => undefined,
      timer: () => undefined,
      later: () => undefined,
      broken: () => undefined,
      done: () => undefined,
    };
    return machine.evaluate(request, words.items, host, this.#limits.evaluateMs);
  }

  async runCode(words: CodeWords): Promise<void> {
    const pool = words.mode === 'sql' ? this.#pools.queries : this.#pools.steps;
    const machine = await pool.take(words.session);
    const running: Running = {
      machine,
      pool,
      host: this.#hostOf(words),
      deadline: performance.now() + this.#limits.codeMs,
      timers: new Set(),
      limit: undefined,
      asked: 0,
    };
    this.#running.set(words.id, running);
    const request = requestText(words, {
      ...this.#codeFor(machine, words),
      mode: words.mode,
      goesOn: words.goesOn,
    });
    this.#turn(words.id, () =>
      machine.startCode(request, words.items, running.host, running.deadline),
    );
  }

  /** What the interpreter needs to know of the code: the code itself when it has not seen it. */
  #codeFor(machine: Machine, { mode, source }: CodeWords): object {
    if (PLAIN_TEXTS.has(mode)) return { key: 0, code: source };
    const { number, code } = this.#prepared.get(source, () => {
      const made = { number: this.#nextCode, code: prepareCode(source) };
      this.#nextCode += 1;
      return made;
    });
    if (machine.knownCode.has(number)) return { key: number };
    machine.knownCode.add(number);
    return { key: number, ...code };
  }

  /** Ends code that waits. */
  stop(id: number): void {
    this.#late(id);
  }

  /** What code asked for is answered. */
  answer(id: number, call: number, isDone: boolean, text: string): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.asked -= 1;
    this.#turn(id, () =>
      running.machine.settle(call, isDone, text, running.host, running.deadline),
    );
  }

  #hostOf(words: CodeWords): StepHost {
    const { id } = words;
    const log: string[] = [];
    return {
      node: (name) => words.nodes[name] ?? NO_NODE,
      log: (text) => {
        if (log.length < LOG_LINES) log.push(text.slice(0, LOG_LINE_LENGTH));
      },
      timer: (timer, ms) => {
        const running = this.#running.get(id);
        if (running === undefined) return;
        const handle = setTimeout(
          () => {
            running.timers.delete(handle);
            const fire = (): void =>
              running.machine.fireTimer(timer, running.host, running.deadline);
            this.#turn(id, fire);
          },
          Math.min(ms, this.#limits.codeMs),
        );
        running.timers.add(handle);
      },
      later: (call, service, argument) => {
        const running = this.#running.get(id);
        if (running === undefined) return;
        running.asked += 1;
        this.#tell({ type: 'asks', id, call, service, argument });
      },
      broken: (message) => {
        this.#end(id);
        this.#failed(id, failureOf(ENGINE_ERROR, message));
      },
      done: (text) => {
        this.#end(id);
        this.#tell(
          text.length > this.#limits.textLength
            ? { type: 'failed', id, code: 'expression_output_too_large' }
            : { type: 'ran', id, text, log },
        );
      },
    };
  }

  #turn(id: number, work: () => void): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    try {
      this.#computing(id, work);
    } catch (error) {
      this.#end(id);
      this.#failed(id, error);
    }
    if (!this.#running.has(id)) running.pool.release(running.machine);
    // Nothing is there any more that could wake it.
    else if (running.timers.size === 0 && running.asked === 0) this.#late(id, running);
    else running.limit ??= setTimeout(() => this.#late(id), running.deadline - performance.now());
  }

  #late(id: number, running = this.#running.get(id)): void {
    if (running === undefined || !this.#running.has(id)) return;
    this.#end(id);
    this.#failed(id, new ExpressionFailure('expression_timeout'));
    running.pool.release(running.machine);
  }

  #end(id: number): void {
    const running = this.#running.get(id);
    clearTimeout(running?.limit);
    for (const timer of running?.timers ?? []) clearTimeout(timer);
    this.#running.delete(id);
  }

  #computing<Answer>(id: number, work: () => Answer): Answer {
    this.#beat(id);
    try {
      return work();
    } finally {
      this.#beat(0);
    }
  }

  #failed(id: number, error: unknown): void {
    const code = error instanceof ExpressionFailure ? error.code : 'expression_engine_failed';
    this.#tell({ type: 'failed', id, code });
  }
}
