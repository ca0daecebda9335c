import { tidyGlobals } from './code-globals.ts';
import { helpersOf } from './code-helpers.ts';
import { inWords, isOfEngine, lineOf, setCode } from './engine-words.ts';
import type { GuestItem, StepFacts } from './facts.ts';
import { askHost, lookAtStep, tellDone } from './host.ts';
import { SCOPE_NAMES, Scope } from './scope.ts';
import { renderTemplate } from './template.ts';
import { World } from './world.ts';

export interface CodeRequest {
  readonly facts: StepFacts;
  /** An expression that gives the function; its text stands on the line of the author's first. */
  readonly code: string;
  readonly calls: Readonly<Record<string, string>>;
  readonly mode: 'all' | 'each' | 'fields_of_each' | 'template';
  /** In the modes of one item: go on with the next item after one that threw. */
  readonly goesOn: boolean;
}

type Answer =
  | { readonly kind: 'value'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string; readonly line: number | null };

const current: { scope: Scope | undefined } = { scope: undefined };
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

function descriptorOf(name: string): PropertyDescriptor {
  return {
    configurable: true,
    get: () => (current.scope as unknown as Record<string, unknown>)[name],
    set: (value: unknown) => define(name, value),
  };
}

const SCOPE_GLOBALS = SCOPE_NAMES.filter((name) => name.startsWith('$')).map(
  (name) => [name, descriptorOf(name)] as const,
);

/** Names of the scope as globals, so that code may have variables of the same names. */
export function putScope(): void {
  for (const [name, descriptor] of SCOPE_GLOBALS) {
    // Earlier code may have put something in its place.
    const found = Object.getOwnPropertyDescriptor(globalThis, name);
    if (found?.get !== descriptor.get) Object.defineProperty(globalThis, name, descriptor);
  }
  define('$getWorkflowStaticData', noData);
  define('$evaluateExpression', refuseExpression);
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

async function run(request: CodeRequest, itemsText: string): Promise<Answer[]> {
  if (request.mode === 'template') {
    const [item] = JSON.parse(itemsText) as GuestItem[];
    return [await call(() => renderTemplate(request.code, item?.json), {})];
  }
  const world = new World(request.facts, JSON.parse(itemsText) as GuestItem[], lookAtStep);
  setCode(request.calls);
  tidyGlobals();
  putScope();
  current.scope = new Scope(world, 0);
  const self = helpersOf(world);
  const body = evaluateText(request.code) as Body;
  if (request.mode !== 'all') return forEach(request, world, body, self);
  define('items', world.items());
  return [await call(body, self)];
}

function textOf(answers: readonly Answer[]): string {
  try {
    return JSON.stringify(answers);
  } catch (error) {
    return JSON.stringify([threw(error)]);
  }
}

/** Starts the code; the host is told when it is done. */
export function startCode(request: CodeRequest, itemsText: string): void {
  run(request, itemsText)
    .catch((error: unknown) => [threw(error)])
    .then((answers) => tellDone(textOf(answers)))
    .catch((error: unknown) => askHost('broken', String((error as Error).message)));
}
