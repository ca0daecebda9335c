// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a name that is computed is under test
import { describe, expect, it } from 'vitest';
import { referencesIn } from './references.ts';

describe('the steps that texts name are found', () => {
  it.each([
    ['{{ $("A").item.json.a }}', ['A']],
    [`{{ $('A b').first() }} {{ $node["C"].json }} {{ $node.D.json }}`, ['A b', 'C', 'D']],
    ['{{ $items("E", 0, 1) }}', ['E']],
    ['{{ $items() }} {{ $json.a }}', []],
    ['{{ $item(0).$node["F"].json }}', ['F']],
  ])('%s', (text, names) => {
    const found = referencesIn([text]).names;
    expect(found === 'all' ? found : [...found]).toEqual(names);
  });

  it.each([
    '{{ $($json.name).first() }}',
    '{{ $node[$json.name].json }}',
    'const read = $; return read("A").all()',
    'return eval("$" + "(\'A\')").all()',
    '{{ $(`A${1}`).item }}',
  ])('and all are meant by %s', (text) => {
    expect(referencesIn([text]).names).toBe('all');
  });

  it('with what of them is read', () => {
    expect(referencesIn(['{{ $("A").first().json }}']).wish.matches).toBe(false);
    expect(referencesIn(['{{ $("A").item.json }}']).wish.matches).toBe(true);
    expect(referencesIn(['{{ $("A").all(0, 1) }}']).wish.earlierRuns).toBe(true);
    expect(referencesIn(['{{ $("A").all() }}']).wish.earlierRuns).toBe(false);
  });
});
