import { isOfEngine } from './engine-words.ts';
import { extend, extendIfThere } from './extensions/extend.ts';
import type { StepFacts } from './facts.ts';
import { lookAtStep } from './host.ts';
import { type ItemShape, itemsOf } from './items.ts';
import { asText, type Encoded, encode } from './outcome.ts';
import { OwnError } from './own-error.ts';
import { Scope } from './scope.ts';
import { World } from './world.ts';

/** One `{{ … }}`, rewritten by the host, or a text between two. */
type Chunk = string | { readonly code: string };

export interface CompiledExpression {
  readonly chunks: readonly Chunk[];
  readonly isTemplate: boolean;
  readonly mutates: boolean;
  readonly isSuspect: boolean;
  /** The text is no expression: why. */
  readonly refused?: string;
}

type Part = (scope: Scope, helpers: typeof HELPERS) => unknown;

interface Ready {
  readonly source: CompiledExpression;
  readonly parts: readonly (string | Part)[];
  /** It is this expression and nothing else. */
  readonly alone: Part | undefined;
}

/** The empty stand-in for what expressions may name and not use. */
const NOTHING = Object.freeze({});
const HELPERS = { extend, extendIfThere, nothing: NOTHING, unknown: {} as object };

const ready = new Map<string, Ready>();
// Indirect: it sees the global scope, not that of this module.
// biome-ignore lint/security/noGlobalEval: this module exists in the confined interpreter only.
const evaluateText = globalThis.eval;

function partOf(code: string): Part {
  return evaluateText(`(function ($s, $h) { return (${code}\n); })`) as Part;
}

function readyOf(key: string, sources: Record<string, CompiledExpression>): Ready {
  const known = ready.get(key);
  if (known !== undefined) return known;
  const source = sources[key];
  if (source === undefined) throw new Error('no such expression');
  const parts = source.chunks.map((chunk) =>
    typeof chunk === 'string' ? chunk : partOf(chunk.code),
  );
  const [only] = parts;
  const isAlone = !source.isTemplate && source.refused === undefined;
  const alone = isAlone && typeof only === 'function' ? only : undefined;
  const made = { source, parts, alone };
  ready.set(key, made);
  return made;
}

/** Errors of JavaScript leave nothing; those of the source and of the engine go on. */
function resultOf(part: Part, scope: Scope): unknown {
  try {
    return part(scope, HELPERS);
  } catch (error) {
    if (error instanceof OwnError || isOfEngine(error)) throw error;
    return undefined;
  }
}

function evaluateOne({ source, parts }: Ready, scope: Scope): Encoded {
  if (source.refused !== undefined) throw new OwnError(source.refused);
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : asText(resultOf(part, scope)),
  );
  return [0, texts.join('')];
}

export interface EvaluationRequest {
  readonly facts: StepFacts;
  readonly shape: ItemShape | null;
  /** Keys of expressions, in the order in which they are asked for. */
  readonly keys: readonly string[];
  /** Expressions by key, those only that this session has not seen. */
  readonly sources: Record<string, CompiledExpression>;
  /** Items to evaluate for; all when it is null. */
  readonly at: readonly number[] | null;
}

function jsonText(outcome: Encoded): string {
  try {
    return JSON.stringify(outcome);
  } catch (error) {
    if (isOfEngine(error)) throw error;
    const why = error instanceof OwnError ? error.message : 'The result is no JSON';
    return JSON.stringify(['failed', why]);
  }
}

/** What most expressions give is written in few steps of the interpreter. */
function textOf(value: unknown, isSuspect: boolean): string {
  switch (typeof value) {
    case 'number':
      // Neither NaN nor an infinity, nor minus zero: without the calls that say so.
      if (value === 0 ? 1 / value > 0 : value - value === 0) return `[0,${value}]`;
      break;
    case 'string':
      return `[0,${JSON.stringify(value)}]`;
    case 'boolean':
      return value ? '[0,true]' : '[0,false]';
    default:
  }
  return jsonText(encode(value, isSuspect));
}

function outcomeOf(one: Ready, scope: Scope): string {
  try {
    return one.alone === undefined
      ? jsonText(evaluateOne(one, scope))
      : textOf(resultOf(one.alone, scope), one.source.isSuspect);
  } catch (error) {
    if (error instanceof OwnError) return jsonText(['failed', error.message]);
    throw error;
  }
}

/** Evaluates each expression for each item; answers one text. */
export function evaluateAll(request: EvaluationRequest, itemsText: string): string {
  const items = itemsOf(itemsText, request.shape);
  const world = new World(request.facts, items, lookAtStep);
  const list = request.keys.map((key) => readyOf(key, request.sources));
  const { at: places } = request;
  const count = places === null ? items.length : places.length;
  // One for all items: making one takes longer than what most expressions compute.
  const shared = new Scope(world, 0);
  const rows: string[] = [];
  for (let row = 0; row < count; row += 1) {
    const at = places === null ? row : (places[row] as number);
    Scope.move(shared, at);
    let cells = '';
    for (const one of list) {
      const text = outcomeOf(one, one.source.mutates ? new Scope(world.apart(), at) : shared);
      cells = cells === '' ? text : `${cells},${text}`;
    }
    rows.push(`[${cells}]`);
  }
  return `[${rows.join(',')}]`;
}
