import { expect, it } from 'vitest';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import { namedSources, surroundings } from '../../../server/gaps/fixes/source-links.ts';
import { linkDraft } from './links.ts';

const node = (source_id: string, label: string, spec_ref: string | null = null) => ({
  source_id,
  label,
  type: 't.x',
  locator: '$',
  position: null,
  disabled: false,
  spec_ref,
});

const canvas: CanvasView = {
  nodes: [
    node('a', 'AI Agent', 'ai_agent'),
    node('m', 'Chat Model'),
    node('t', 'Look up!'),
    node('x', 'same name'),
    node('y', 'Same-Name'),
  ],
  edges: [
    { source_id: 'm', target_id: 'a', kind: 'ai_languageModel' },
    { source_id: 't', target_id: 'a', kind: 'ai_tool' },
    { source_id: 'x', target_id: 'a', kind: 'main' },
  ],
};

it('names each element as the import does, and none that two elements share', () => {
  expect(namedSources(canvas).map(({ name }) => name)).toEqual([
    'ai_agent',
    'chat_model',
    'look_up',
    '',
    '',
  ]);
  expect(namedSources(undefined)).toEqual([]);
});

it('links both ways; an attached element without lines of its own goes with its host', () => {
  const place = { path: 'workflow.steps[0]', startLine: 5, endLine: 8 };
  const tool = { path: 'tools.look_up', startLine: 20, endLine: 22 };
  const links = linkDraft(canvas, {
    graph: null,
    nodesOf: { a: ['n1'] },
    placeOf: { a: place, t: tool },
    codeOf: { a: { kind: 'function', name: 'a' } },
    secretOf: {},
    errors: 0,
  });
  expect(links.nodesOf.get('m')).toEqual(['n1']);
  expect(links.placeOf.get('m')).toEqual(place);
  expect(links.hostOf.get('m')).toBe('a');
  expect(links.placeOf.get('t')).toEqual(tool);
  expect(links.hostOf.has('t')).toBe(false);
  expect(links.sourceOf.get('n1')).toBe('a');
  expect(links.nodesOf.has('x')).toBe(false);
});

it('says what an element is attached to, and which steps stand around one that became an edge', () => {
  const flow: CanvasView = {
    nodes: ['a', 'if', 'note', 'b', 'c', 'm'].map((id) => node(id, id)),
    edges: [
      { source_id: 'a', target_id: 'if', kind: 'main' },
      { source_id: 'if', target_id: 'note', kind: 'main' },
      { source_id: 'note', target_id: 'b', kind: 'main' },
      { source_id: 'if', target_id: 'c', kind: 'main' },
      { source_id: 'c', target_id: 'if', kind: 'main' },
      { source_id: 'm', target_id: 'b', kind: 'ai_languageModel' },
    ],
  };
  const nodesOf = new Map(['a', 'b', 'c'].map((id) => [id, [id]] as const));
  const around = surroundings(flow, (id) => nodesOf.has(id));
  expect(around('if')).toEqual({
    name: 'if',
    hosts: [],
    settings: [],
    before: ['a', 'c'],
    after: ['c', 'b'],
  });
  expect(around('m').hosts).toEqual(['b']);
});
