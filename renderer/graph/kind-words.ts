import { t } from '../../preload/texts/t.ts';
import type { NodeKind } from './graph-model.ts';

const KIND_WORDS: Readonly<Record<NodeKind, string>> = {
  agent: t('agent'),
  function: t('function'),
  human: t('human'),
  workflow: t('workflow'),
  guardrail: t('guardrail'),
  step: t('step'),
  credential: t('credential'),
  mark: t('mark'),
};

/** What a node is, in a word before its name. */
export function kindWord(kind: NodeKind): string {
  return KIND_WORDS[kind];
}
