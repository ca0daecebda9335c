import { tidyGlobals } from './code-globals.ts';
import { helpersOf } from './code-helpers.ts';
import { inWords, isOfEngine, lineOf, setCode } from './engine-words.ts';
import type { GuestItem, StepFacts } from './facts.ts';
import { askHost, lookAtStep, tellDone } from './host.ts';
import { type ItemShape, itemsOf } from './items.ts';
import { SCOPE_NAMES, Scope } from './scope.ts';
import { renderTemplate } from './template.ts';
import { World } from './world.ts';

export interface CodeRequest {
  readonly facts: StepFacts;
  readonly shape: ItemShape | null;
  /** What code is known by from its first run on; the two below come with that one. */
  readonly key: number;
  /** An expression that gives the maker of the function; it stands on the line of the author's first. */
  readonly code?: string;
  readonly calls?: Readonly<Record<string, string>>;
  readonly mode: 'all' | 'each' | 'fields_of_each' | 'template';
  /** In the modes of one item: go on with the next item after one that threw. */
  readonly goesOn: boolean;
}

type Answer =
  | { readonly kind: 'value'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string; readonly line: number | null };

/** The item whose names are read, and what code has put in the place of such names. */
const current: { scope: Scope | undefined; instead: Record<string, unknown> | undefined } = {
  scope: undefined,
  instead: undefined,
};
// Indirect: it sees the global scope, not that of this module.
// biome-ignore lint/security/noGlobalEval: this module exists in the confined interpreter only.
const evaluateText = globalThis.eval;

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

function noData(): object {
  return {};
}

function refuseExpression(): never {
  throw new Error('$evaluateExpression is not available here');
}

const OFFERED: Readonly<Record<string, unknown>> = {
  $getWorkflowStaticData: noData,
  $evaluateExpression: refuseExpression,
};

function readScope(name: string): unknown {
  return (current.scope as unknown as Record<string, unknown>)[name];
}

function putInstead(name: string, value: unknown): void {
  current.instead ??= Object.create(null) as Record<string, unknown>;
  current.instead[name] = value;
}

function putName(name: string, read: () => unknown): void {
  Object.defineProperty(globalThis, name, {
    get: () => {
      const { instead } = current;
      return instead !== undefined && name in instead ? instead[name] : read();
    },
    set: (value: unknown) => putInstead(name, value),
  });
}

/**
 * Names of the scope as globals, so that code may have variables of the same names. They cannot be
 * taken away: what code puts in their place is forgotten before the next code without a look at each.
 */
export function putScope(): void {
  for (const name of SCOPE_NAMES.filter((one) => one.startsWith('$')))
    putName(name, () => readScope(name));
  for (const [name, value] of Object.entries(OFFERED)) putName(name, () => value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function answerOf(value: unknown): Answer {
  const type = typeOf(value);
  const isKept = type !== 'function' && type !== 'symbol' && type !== 'undefined';
  return { kind: 'value', type, value: isKept ? value : null };
}

function threw(error: unknown): Answer {
  if (isOfEngine(error)) throw error;
  const told = inWords(error);
  const line = lineOf(told);
  const message = told instanceof Error ? told.message : undefined;
  return { kind: 'threw', message: message ?? wordsOf(told), line };
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown)
    return String(thrown.message);
  return typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown);
}

type Body = (this: object) => unknown;

async function call(body: Body, self: object): Promise<Answer> {
  try {
    return answerOf(await body.call(self));
  } catch (error) {
    return threw(error);
  }
}

type Make = () => Body;

interface Known {
  readonly code: string;
  readonly calls: Readonly<Record<string, string>>;
  make?: Make;
}

const known = new Map<number, Known>();

function knownOf({ key, code, calls = {} }: CodeRequest): Known {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (code === undefined) throw new Error('no such code');
  const made = { code, calls };
  known.set(key, made);
  return made;
}

/** A function of its own for each run: what code leaves on it is gone with the run. */
function bodyOf(one: Known): Body {
  one.make ??= evaluateText(one.code) as Make;
  return one.make();
}

async function forEach(request: CodeRequest, world: World, body: Body, self: object) {
  const answers: Answer[] = [];
  for (let at = 0; at < world.count; at += 1) {
    current.scope = new Scope(world, at);
    const item = world.item(at) as GuestItem;
    define('item', request.mode === 'each' ? item : item.json);
    const answer = await call(body, self);
    // What one item's code gave is a text before the next item's code may change it.
    answers.push(JSON.parse(JSON.stringify(answer)) as Answer);
    if (answer.kind === 'threw' && !request.goesOn) break;
  }
  return answers;
}

/** Starts the code of a request: an answer for all items, or one for each. */
function run(request: CodeRequest, itemsText: string): Promise<Answer | Answer[]> {
  const items = itemsOf(itemsText, request.shape);
  if (request.mode === 'template')
    return call(() => renderTemplate(request.code ?? '', items[0]?.json), {});
  const world = new World(request.facts, items, lookAtStep);
  const code = knownOf(request);
  setCode(code.calls);
  tidyGlobals();
  current.instead = undefined;
  current.scope = new Scope(world, 0);
  const self = helpersOf(world);
  const body = bodyOf(code);
  if (request.mode !== 'all') return forEach(request, world, body, self);
  define('items', world.items());
  return call(body, self);
}

function textOf(answers: readonly Answer[]): string {
  try {
    return JSON.stringify(answers);
  } catch (error) {
    return JSON.stringify([threw(error)]);
  }
}

async function answersTo(request: CodeRequest, itemsText: string): Promise<readonly Answer[]> {
  try {
    const given = await run(request, itemsText);
    return Array.isArray(given) ? given : [given];
  } catch (error) {
    return [threw(error)];
  }
}

/** Runs the code; the host is told when it is done. */
export async function startCode(request: CodeRequest, itemsText: string): Promise<void> {
  try {
    tellDone(textOf(await answersTo(request, itemsText)));
  } catch (error) {
    askHost('broken', String((error as Error).message));
  }
}
