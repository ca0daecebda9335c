import type { Loss } from '../graph-ir.ts';
import type { N8nLink } from './document.ts';
import type { AttachmentRow } from './scene.ts';

function retrieval(meaning: string): AttachmentRow {
  return { kind: 'external_service', gapOnly: true, meaning };
}

/** What each attachment type loses (importers 4.4); models and tools have rules of their own. */
const ATTACHMENTS: ReadonlyMap<string, AttachmentRow> = new Map([
  ['ai_outputParser', { kind: 'expression', gapOnly: true, meaning: 'shapes the answer of' }],
  ['ai_memory', { kind: 'memory', gapOnly: true, meaning: 'remembers the conversation for' }],
  ['ai_chain', { kind: 'branching_shape', gapOnly: true, meaning: 'is a chain inside' }],
  ['ai_agent', { kind: 'branching_shape', gapOnly: true, meaning: 'is an agent inside' }],
  ['ai_retriever', retrieval('retrieves documents for')],
  ['ai_reranker', retrieval('ranks documents for')],
  ['ai_vectorStore', retrieval('is the vector store of')],
  ['ai_embedding', retrieval('computes embeddings for')],
  ['ai_document', retrieval('loads documents for')],
  ['ai_textSplitter', retrieval('splits texts for')],
]);

const OTHER: AttachmentRow = {
  kind: 'proprietary_node',
  gapOnly: false,
  meaning: 'is attached in a way that has no counterpart to',
};

/** True when an element attached this way is no step by itself. */
export function isGapOnly(type: string): boolean {
  return ATTACHMENTS.get(type)?.gapOnly === true;
}

/** The loss of one attachment; its detail names both parties. */
export function attachmentLoss(link: N8nLink): Loss | undefined {
  if (link.type === 'ai_languageModel' || link.type === 'ai_tool') return undefined;
  const row = ATTACHMENTS.get(link.type) ?? OTHER;
  const detail = `"${link.source.name}" ${row.meaning} "${link.target.name}" (${link.type}).`;
  return { ref: link.source.ref, kind: row.kind, detail };
}
