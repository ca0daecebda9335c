import { expect, test } from 'vitest';
import { adds, code, flowSpec } from '../../../test/support/flow-specs.ts';
import { loadSpec } from '../load/load-spec.ts';
import { fieldsReadOf } from './read-fields.ts';

function readsOf(document: unknown, key: string) {
  const { spec } = loadSpec({ base: Object(document) });
  if (spec === undefined) throw new TypeError('the spec loads');
  return fieldsReadOf(spec)(key);
}

const HOOK = { type: 'n8n-nodes-base.webhook', name: 'On order' };

test('fields are those that later steps name, past steps that hand items on', () => {
  const spec = flowSpec(
    {
      hook: HOOK,
      check: {
        type: 'n8n-nodes-base.if',
        parameters: { left: '={{ $json.body.total.toFixed(2) }}' },
      },
      told: adds('a', '={{ $json.query["from page"] }} {{ $json.body }}'),
      late: adds('b', "={{ $json.unseen }} {{ $('On order').first().json.headers.agent }}"),
      ran: code('return $input.first().json.body.lines.map((line) => line);'),
    },
    [
      ['hook', 'check'],
      ['check', 'told'],
      ['told', 'late'],
      ['hook', 'ran'],
    ],
  );
  expect(readsOf(spec, 'hook').map((path) => path.join(' / '))).toEqual([
    'body / lines',
    'body / total',
    'query / from page',
    'headers / agent',
  ]);
  expect(readsOf(spec, 'told')).toEqual([['unseen']]);
  expect(readsOf(spec, 'late')).toEqual([]);
});

test('a spec that is no item flow reads none', () => {
  expect(readsOf({ version: 'v1', agent: { name: 'a' } }, 'a')).toEqual([]);
});
