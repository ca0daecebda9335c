// Fragments of specs, and what is found in them.
import { expect } from 'vitest';
import { loadSpec } from '../../load/load-spec.ts';
import { parseSpecText } from '../../yaml/parse-yaml.ts';
import { validateSpec } from '../validate.ts';

const BASE = `
version: v1
agent: {name: root}
components:
  agents: {a: {name: a}, b: {name: b}}
  functions: {f: {implementation: m.f}}
  humans: {h: {description: Look}}
tools:
  t: {description: T, implementation: m.t}
`;

/** The findings of the base with a fragment over it, one line each: severity, code and path. */
export function findingsOf(fragment: string): string[] {
  const read = (text: string) => {
    const { value, problems } = parseSpecText(text, 'yaml');
    expect(problems).toEqual([]);
    return value ?? {};
  };
  const loaded = loadSpec({ base: read(BASE), overlays: [read(fragment)] });
  expect(loaded.diagnostics).toEqual([]);
  const found = loaded.spec === undefined ? [] : validateSpec(loaded.spec);
  for (const { code, severity, message } of found) {
    expect(severity).toBe(code.startsWith('E_') ? 'error' : 'warning');
    expect(message).toMatch(/[.!?]$/);
  }
  return found.map(({ code, path }) => `${code} ${path}`);
}

export const steps = (list: string, more = ''): string =>
  `workflow: {type: sequential, steps: [${list}]}\n${more}`;
export const A = '{id: a, kind: agent, ref: a}';
export const graph = (nodes: string, edges = '', more = ''): string =>
  `workflow: {type: graph, start: n, nodes: {${nodes}}, edges: [${edges}]${more}}`;
export const N = 'n: {id: n, kind: agent, ref: a}';
export const M = 'm: {id: m, kind: agent, ref: a}';
export const when = (condition: string): string =>
  graph(`${N}, ${M}`, `{from: n, to: m, condition: {${condition}}}`);
export const at = 'workflow.edges[0].condition';
