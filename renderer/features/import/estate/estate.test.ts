import { describe, expect, it } from 'vitest';
import { type EstateFile, estateOf } from '../../../../server/gaps/estate/estate.ts';
import { NO_FACTS } from '../../../../server/gaps/estate/source-facts.ts';
import { callGraph, credentialGraph, sharedCredentials } from './estate-graph.ts';

const file = (path: string, facts: object): EstateFile => ({
  ...{ path, draft: path, blocking: 0, causes: [] },
  facts: { ...NO_FACTS, ...facts },
});
const call = (kind: string, wanted: string) => ({ kind, label: 'x', wanted: [wanted] });
const name = (path: string) => path.toUpperCase();

describe('the map of an import', () => {
  it('draws who runs whom once for each pair, with workflows that are not there', () => {
    const { calls } = estateOf([
      file('a', {
        name: 'A',
        calls: [call('step', 'B'), call('step', 'B'), call('error', 'Gone')],
      }),
      file('b', { name: 'B', calls: [call('tool', 'B')] }),
      file('c', { name: 'C' }),
    ]);
    const { graph } = callGraph(calls, name);
    expect(graph?.nodes.map(({ label, disabled }) => [label, disabled])).toEqual([
      ['A', false],
      ['B', false],
      ['Gone', true],
    ]);
    expect(graph?.edges.map(({ source, target, label }) => [source, target, label])).toEqual([
      ['a', 'b', 'runs it'],
      ['a', 'missing Gone', 'when it fails'],
    ]);
    expect(callGraph([], name).graph).toBeNull();
  });

  it('draws what several files sign in with', () => {
    const slack = { type: 'slackApi', id: '1', name: 'Team' };
    const own = { type: 'slackApi', id: '2', name: 'Own' };
    const estate = estateOf([
      file('a', { credentials: [slack] }),
      file('b', { credentials: [slack, own] }),
    ]);
    const shared = sharedCredentials(estate);
    expect(shared.map((one) => one.name)).toEqual(['Team']);
    expect(
      credentialGraph(shared, name).graph?.nodes.map(({ kind, label }) => [kind, label]),
    ).toEqual([
      ['credential', 'Team'],
      ['workflow', 'A'],
      ['workflow', 'B'],
    ]);
  });

  it('draws a part that is small enough, and any other around a file', () => {
    const files = Array.from({ length: 900 }, (_, at) =>
      file(`f${at}`, { calls: [call('step', `gone ${at}`)] }),
    );
    const { calls } = estateOf(files);
    const first = callGraph(calls, name);
    expect([first.shown, first.all]).toEqual([300, 1800]);
    const ids = new Set(first.graph?.nodes.map(({ id }) => id));
    expect(
      first.graph?.edges.every(({ source, target }) => ids.has(source) && ids.has(target)),
    ).toBe(true);
    expect(ids.has('f800')).toBe(false);
    const around = callGraph(calls, name, 'f800');
    expect(around.graph?.nodes.slice(0, 2).map(({ id }) => id)).toEqual([
      'f800',
      'missing gone 800',
    ]);
    expect([around.shown, around.all]).toEqual([300, 1800]);
  });

  it('draws a part of a credential that many files share', () => {
    const slack = { type: 'slackApi', id: '1', name: 'Team' };
    const files = Array.from({ length: 400 }, (_, at) => file(`f${at}`, { credentials: [slack] }));
    const { graph, shown, all } = credentialGraph(estateOf(files).credentials, name);
    expect([shown, all, graph?.edges.length]).toEqual([300, 401, 299]);
  });
});
