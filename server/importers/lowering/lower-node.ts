import type { Card } from '../gaps/gap-stream.ts';
import type { Node } from '../graph-ir.ts';
import type { ComponentSection, Draft } from './draft.ts';
import { lowerAgent, lowerModelCall } from './lower-agent.ts';

const SECTIONS: Readonly<Record<'function' | 'human' | 'workflow', ComponentSection>> = {
  function: 'functions',
  human: 'humans',
  workflow: 'workflows',
};

function unconverted(node: Node): Card | undefined {
  const { payload, ref, name } = node;
  switch (payload.kind) {
    case 'branch': {
      if (payload.translated) return undefined;
      const detail =
        payload.display === ''
          ? `"${name}" decides by a condition that cannot be read from the file.`
          : `"${name}" decides by a condition of the source: ${payload.display}.`;
      return { ref, kind: 'expression', detail };
    }
    case 'loop':
      return {
        ref,
        kind: 'branching_shape',
        detail: `"${name}" runs its body once per batch; the draft has plain edges in its place.`,
      };
    case 'http': {
      const detail = `"${name}" sends an HTTP request (${payload.display}); no step stands for it.`;
      return { ref, kind: 'proprietary_node', detail };
    }
    case 'code': {
      const detail = `"${name}" runs code of its own (${payload.language}); no step stands for it.`;
      return { ref, kind: 'proprietary_node', detail };
    }
    case 'tool_call': {
      const detail = `"${name}" always runs the tool ${payload.tool}; no step stands for it.`;
      return { ref, kind: 'deterministic_tool', detail };
    }
    case 'subworkflow': {
      const target = payload.reference === '' ? 'another workflow' : `"${payload.reference}"`;
      return {
        ref,
        kind: 'subworkflow',
        detail: `"${name}" runs ${target} as a part of this one.`,
      };
    }
    default:
      return undefined;
  }
}

/** Writes one node into the draft, with its cards (importers 6.2). */
export function lowerNode(draft: Draft, node: Node): void {
  const { payload } = node;
  if (payload.kind === 'agent') lowerAgent(draft, node, payload);
  else if (payload.kind === 'model_call') lowerModelCall(draft, node, payload);
  else if (payload.kind === 'component') {
    const section = SECTIONS[payload.step];
    const name = draft.claimName(section, node.name, payload.step);
    draft.addComponent(section, name, payload.definition(name, draft.protector));
    draft.addStep(node, payload.step, name, payload.timer);
    const { calls: wanted, inner } = payload;
    if (wanted !== undefined) {
      const call = { source_id: node.id, component: name, wanted };
      draft.calls.push(inner === undefined ? call : { ...call, inner });
    }
  } else {
    const card = unconverted(node);
    if (card !== undefined) draft.cards.push(card);
  }
}
