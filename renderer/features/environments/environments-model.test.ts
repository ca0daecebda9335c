import { expect, test } from 'vitest';
import type { GenerationView } from '../../../server/contract/studio/bindings.ts';
import { aliasGroups, retireEffect } from './environments-model.ts';

function generation(alias: string, number: number, more: Partial<GenerationView>): GenerationView {
  return {
    ...{ alias, generation: number, platform_environment: 'dev', transport: 'remote' },
    ...{ platform_egress: 'unenforced', capability_policy: 'strict', profile_state: 'available' },
    ...{ url: 'http://p', endpoint: 'same', live: false, created_at: 'x', retired_at: null },
    ...{ made_by: 'person', artifacts: 0, registry: [], registry_since: null },
    ...more,
  };
}

test('aliases in use come first; all retired is no live one', () => {
  const groups = aliasGroups([
    generation('a', 1, { retired_at: 'then' }),
    generation('b', 2, { live: true }),
    generation('b', 1, {}),
  ]);
  expect(groups.map(({ alias, live }) => [alias, live?.generation])).toEqual([
    ['b', 2],
    ['a', undefined],
  ]);
});

test('retiring says who answers then, and what becomes of artifacts', () => {
  const all = [
    generation('b', 2, { live: true, artifacts: 3 }),
    generation('b', 1, {}),
    generation('c', 1, { live: true }),
  ];
  expect(retireEffect(all, 'b', 2).sentences.slice(0, 2)).toEqual([
    'Generation 1 answers for b again.',
    '3 artifacts frozen to it can still be checked, run and exported there.',
  ]);
  expect(retireEffect(all, 'b', 1).sentences[0]).toBe('b itself stays as it is.');
  expect(retireEffect(all, 'b', null).sentences[0]).toBe('Nothing new can use b.');
  expect(retireEffect(all.slice(0, 2), 'b', null).refused).toContain('last binding');
  expect(retireEffect(all.slice(2), 'c', 1).refused).toContain('last binding');
});
