import { textOf } from '../../value.ts';
import type { DifyNode } from '../document.ts';
import { classNames } from './branches.ts';

/** The instructions of an agent that answers with the name of a class. */
export function classPrompt(node: DifyNode): string {
  const names = classNames(node).map((name) => `- ${name}`);
  const own = textOf(node.data.get('instruction')) ?? '';
  const lead =
    'Classify the text into exactly one of the classes. Answer with the name of the class only.';
  return [lead, `Classes:\n${names.join('\n')}`, own].filter((part) => part !== '').join('\n\n');
}
