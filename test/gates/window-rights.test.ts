// No control of the window ends in a refusal for want of a right (OD-143): what leads to a call of
// an operation that not every role may use has asked `useHindrance` for that very capability.
import { expect, test } from 'vitest';
import {
  type Exported,
  importsOf,
  type Module,
  operationsOf,
  uses,
  windowModules,
} from '../support/window-modules.ts';

/** Who may call without having asked, and why. */
const EXCUSED: Readonly<Record<string, string>> = {
  'resumeHumanTask features/human-tasks/held-decisions.ts':
    'sends what a person decided in a form that asked',
  'resumeHumanTask features/human-tasks/decision-queue.ts':
    'sends what a person decided in a form that asked',
};
const ENTRY = 'main.tsx';
const ASKS = /useHindrance\('([\w.]+)'\)/g;

const modules = windowModules();
const byPlace = new Map(modules.map((module) => [module.place, module]));
const operations = await operationsOf('dashboard');
/** Operations that a signed-in person may lack the right to. */
const guarded = operations.filter(
  ({ route: { access } }) => access !== null && access !== 'operator',
);

function asks({ text }: Module, capability: string | null): boolean {
  return [...text.matchAll(ASKS)].some(([, asked]) => asked === capability);
}

/** What can be reached from the entry without passing a module that asks for the capability. */
function reachedUnasked(capability: string | null): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>([[ENTRY, [ENTRY]]]);
  for (const [place, way] of ways) {
    const module = byPlace.get(place);
    if (module === undefined || asks(module, capability)) {
      continue;
    }
    for (const next of importsOf(module)) {
      if (byPlace.has(next) && !ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return ways;
}

/** Modules that use the operation without anybody on the way having asked, with that way. */
function unaskedUses(operation: Exported): { readonly use: string; readonly way: string }[] {
  const { access } = operation.route;
  const ways = reachedUnasked(access);
  return modules
    .filter((module) => uses(module.text, operation) && !asks(module, access))
    .flatMap(({ place }) => {
      const way = ways.get(place);
      return way === undefined ? [] : [{ use: `${operation.name} ${place}`, way: way.join(' > ') }];
    });
}

test('every use of an operation that a role may lack has asked for its capability on the way (OD-143)', () => {
  expect(guarded.length).toBeGreaterThan(20);
  const found = guarded.flatMap(unaskedUses);
  const unexcused = found.filter(({ use }) => !Object.hasOwn(EXCUSED, use));
  expect(unexcused).toEqual([]);
  expect([...new Set(found.map(({ use }) => use))].sort()).toEqual(Object.keys(EXCUSED).sort());
});

test('what the window asks for is what an operation needs', () => {
  const needed = new Set(guarded.map(({ route }) => route.access));
  const asked = modules.flatMap(({ text }) => [...text.matchAll(ASKS)].map(([, name]) => name));
  expect(new Set(asked)).toEqual(needed);
  // A capability in a variable would be invisible here.
  const calls = modules
    .filter(({ place }) => place !== 'data/operator.ts')
    .flatMap(({ text }) => text.match(/useHindrance\(/g) ?? []);
  expect(calls.length).toBe(asked.length);
});
