import type { Condition } from '../../spec/schema/spec-types.ts';
import type { Element, ElementDocument, ReadElement } from '../elements/document.ts';
import { functionDefinition } from '../elements/parts.ts';
import type { Loss, Output } from '../graph-ir.ts';
import { textCondition } from '../text-condition.ts';
import { at, listOf, textOf, type Value } from '../value.ts';
import { plainText } from './texts.ts';

const MAX_DISPLAY = 400;
const WHOLE = /^\{\{\s{0,20}([^{}\s]{1,200})\s{0,20}\}\}$/;
const SPEAKERS: ReadonlySet<string> = new Set(['agentAgentflow', 'llmAgentflow']);

/** True when a value is the whole text of the one step before the decision. */
function isWholeOutput(value: Value | undefined, element: Element, doc: ElementDocument): boolean {
  const named = WHOLE.exec(plainText(textOf(value) ?? ''))?.[1];
  const before = doc.wires.filter(({ target }) => target === element.id);
  const step = doc.elements.find(({ id }) => id === named);
  return (
    step !== undefined &&
    SPEAKERS.has(step.type) &&
    before.length > 0 &&
    before.every(({ source }) => source === named)
  );
}

function compare(item: Value, element: Element, doc: ElementDocument): Condition | undefined {
  const value = plainText(textOf(at(item, 'value2')) ?? '');
  const isText = (textOf(at(item, 'type')) ?? 'string') === 'string';
  if (!isText || value === '' || value.includes('{{')) return undefined;
  if (!isWholeOutput(at(item, 'value1'), element, doc)) return undefined;
  return textCondition(at(item, 'operation'), value, true);
}

function display(items: readonly Value[]): string {
  const words = items.map((item) => {
    const value = plainText(textOf(at(item, 'value1')) ?? '');
    return `${value} ${textOf(at(item, 'operation')) ?? '?'} <value>`;
  });
  const text = words.join('; ');
  return text.length > MAX_DISPLAY ? `${text.slice(0, MAX_DISPLAY - 1)}…`.toWellFormed() : text;
}

/** A decision: an output for each condition, in their order, and one for everything else. */
export function readCondition(element: Element, doc: ElementDocument): ReadElement {
  const items = listOf(element.settings.get('conditions'));
  const list = items.map((item) => compare(item, element, doc));
  const conditions = list.filter((condition) => condition !== undefined);
  const [only] = conditions;
  const isTranslated = only !== undefined && conditions.length === items.length;
  const any: Condition | undefined = isTranslated
    ? conditions.length === 1
      ? only
      : { type: 'any_of', conditions }
    : undefined;
  const outputs: Output[] = items.map((_item, position) => {
    const condition = isTranslated ? conditions[position] : undefined;
    return condition === undefined
      ? { position, role: 'case' }
      : { position, role: 'case', condition };
  });
  outputs.push({
    position: items.length,
    role: 'else',
    ...(any === undefined ? {} : { condition: { type: 'not', condition: any } }),
  });
  const shown = display(items);
  const detail = `"${element.title}" decides: ${shown}. The edges of the draft have these conditions.`;
  const losses: Loss[] = isTranslated
    ? [{ ref: element.ref, kind: 'condition_translated', detail }]
    : [];
  return {
    role: 'node',
    payload: {
      kind: 'branch',
      display: shown,
      translated: isTranslated,
      gate: functionDefinition(element),
    },
    outputs,
    losses,
  };
}
