// Exports of Dify in few words, and what comes of them.
import type { JsonObject } from '../../kernel/json.ts';
import type { Analysis, AnalyzeOutcome } from '../analysis.ts';
import { analyze } from '../analyze.ts';

export interface Made {
  readonly [key: string]: unknown;
}

export const GPT = { provider: 'langgenius/openai/openai', name: 'gpt', mode: 'chat' };

/** A node whose title is its id in capitals; `more` stands beside `data`. */
export function node(id: string, type: string, data: object = {}, more: object = {}): Made {
  return { id, ...more, data: { type, title: id.toUpperCase(), ...data } };
}

export function llm(id: string, data: object = {}, more: object = {}): Made {
  const prompt_template = [{ role: 'system', text: 'Go.' }];
  return node(id, 'llm', { model: GPT, prompt_template, ...data }, more);
}

/** `a>b` is an edge; `a:true>b` one from a handle. */
export function edges(text: string): Made[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const match = /^([^:>]+)(?::([^>]+))?>(.+)$/.exec(word);
      const [, source, sourceHandle, target] = match ?? [];
      return sourceHandle === undefined ? { source, target } : { source, target, sourceHandle };
    });
}

/** JSON is YAML: the app as text. */
export function app(
  nodes: readonly Made[],
  wires = '',
  workflow: object = {},
  mode = 'workflow',
): string {
  const graph = { nodes, edges: edges(wires) };
  return JSON.stringify({ app: { mode, name: 'App' }, workflow: { graph, ...workflow } });
}

export function config(mode: string, model_config: object): string {
  return JSON.stringify({
    app: { mode, name: 'App' },
    model_config: { model: GPT, ...model_config },
  });
}

export function run(text: string): AnalyzeOutcome {
  return analyze({ source: 'dify', raw: text, conversion: 'strict' });
}

export function accepted(text: string): Analysis {
  const outcome = run(text);
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

export function gapsOf(text: string): string[] {
  return accepted(text).gaps.map((gap) => `${gap.gap_id} ${gap.severity}`);
}

export function gapsNaming(id: string, text: string): string[] {
  return accepted(text)
    .gaps.filter((gap) => gap.source_ref.source_id === id)
    .map((gap) => `${gap.kind} ${gap.severity}`);
}

export function rootOf(text: string): JsonObject {
  return accepted(text).spec['agent'] as JsonObject;
}

export const START = node('s', 'start');
export const PLAIN =
  'app: {mode: completion, name: A}\nmodel_config: {pre_prompt: hi, model: {provider: openai, name: g}}\n';
