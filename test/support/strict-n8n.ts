// Exports of n8n in few words, and what comes of them.

import type { Analysis, AnalyzeOutcome } from '../../server/importers/analysis.ts';
import { analyze } from '../../server/importers/analyze.ts';
import { type SampleNode as Made, n8nNode as node, n8nExport as raw } from './n8n-export.ts';

export function run(text: string): AnalyzeOutcome {
  return analyze({ source: 'n8n', raw: text, conversion: 'strict' });
}

export function accepted(text: string): Analysis {
  const outcome = run(text);
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

export function convert(nodes: readonly Made[], wires = ''): Analysis {
  return accepted(raw(nodes, wires));
}

/** Gaps as `<gap id> <severity>`, in order. */
export function gapsOf(nodes: readonly Made[], wires = ''): string[] {
  return convert(nodes, wires).gaps.map((gap) => `${gap.gap_id} ${gap.severity}`);
}

export function gapsNaming(id: string, nodes: readonly Made[], wires = ''): string[] {
  return convert(nodes, wires)
    .gaps.filter((gap) => gap.source_ref.source_id === id)
    .map((gap) => `${gap.kind} ${gap.severity}`);
}

export const TRIGGER = node('T', 'manualTrigger');
export const CHAT = node('T', 'lc:chatTrigger');
export const MODEL = node('M', 'lc:lmChatAnthropic', { model: 'claude' });
export const MODELLED = 'M-ai_languageModel>A';

export function agent(parameters: object = {}, more: object = {}): Made {
  return node('A', 'lc:agent', parameters, more);
}

/** An agent with a model behind a chat trigger: what is named is only what the test is about. */
export function aroundAgent(parameters: object = {}, more: object = {}): string[] {
  return gapsNaming('a', [CHAT, agent(parameters, more), MODEL], `T>A ${MODELLED}`);
}
