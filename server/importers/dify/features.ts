import type { Loss } from '../graph-ir.ts';
import { at, type Value } from '../value.ts';
import type { DifyDocument } from './document.ts';
import { isEmpty } from './models.ts';

const MODERATION = 'sensitive_word_avoidance';
const FILLED: ReadonlySet<string> = new Set(['opening_statement', 'suggested_questions']);
const CHAT_ONLY: ReadonlySet<string> = new Set([
  'opening_statement',
  'suggested_questions',
  'suggested_questions_after_answer',
  'speech_to_text',
  'retriever_resource',
  MODERATION,
]);

/** True for a feature that is switched on. */
export function isOn(key: string, value: Value): boolean {
  if (FILLED.has(key)) return !isEmpty(value);
  return at(value, 'enabled') === true;
}

function featureLoss(key: string, doc: DifyDocument): Loss {
  const ref = {
    source_id: `feature:${key}`,
    source_label: key,
    locator: `$.workflow.features.${key}`,
  };
  const detail = `The app has "${key}" switched on.`;
  if (doc.mode === 'workflow' && CHAT_ONLY.has(key)) {
    const unused = `${detail} A workflow never uses it.`;
    return { ref, kind: 'parameters_not_carried', detail: unused, effective: false };
  }
  if (key === MODERATION) return { ref, kind: 'execution_setting', detail };
  if (key === 'retriever_resource') {
    return { ref, kind: 'parameters_not_carried', detail, provenance: 'source_default' };
  }
  return { ref, kind: 'parameters_not_carried', detail };
}

/** Features of a graph app that are switched on (importers 5.6). */
export function featureLosses(doc: DifyDocument): Loss[] {
  const hasKnowledge = doc.nodes.some((node) => node.type === 'knowledge-retrieval');
  const out: Loss[] = [];
  for (const [key, value] of doc.features) {
    if (!isOn(key, value) || (key === 'retriever_resource' && !hasKnowledge)) continue;
    out.push(featureLoss(key, doc));
  }
  return out;
}
