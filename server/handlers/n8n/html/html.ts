import { splitTemplate } from '../../../expressions/compile/split-template.ts';
import type { Item, Outputs } from '../../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf } from '../../handler.ts';
import { evaluateFields, FieldFailure, type ItemFields, isExpression } from '../fields.ts';
import { type ItemOutcome, outputsOf } from '../on-error.ts';
import { settingsOfFirst } from '../step-settings.ts';
import { handleHtmlExtract } from './html-extract.ts';
import { htmlTable } from './html-table.ts';

type Part = ReturnType<typeof splitTemplate>[number];

/** A template as its author wrote it: each expression in it is evaluated on its own. */
function partsOf(template: string): readonly Part[] {
  return splitTemplate(isExpression(template) ? template.slice(1) : template);
}

function expressionOf(part: { readonly code: string }): string {
  return `={{${part.code}}}`;
}

function filled(parts: readonly Part[], fields: ItemFields): string {
  return parts
    .map((part) => ('text' in part ? part.text : String(fields.json(expressionOf(part)))))
    .join('');
}

async function generate(call: HandlerCall): Promise<Outputs> {
  const items = itemsOf(call);
  const parts = partsOf(String(call.node.parameters['html'] ?? ''));
  const expressions = parts.flatMap((part) => ('code' in part ? [expressionOf(part)] : []));
  const fields = await evaluateFields(call, items, expressions);
  const outcomes = fields.map((own, item): ItemOutcome => {
    try {
      return [{ json: { html: filled(parts, own) }, pairedItem: { item } }];
    } catch (error) {
      if (error instanceof FieldFailure) return { failed: error.message };
      throw error;
    }
  });
  return outputsOf(items, outcomes, call.node.onError);
}

async function convertToTable(call: HandlerCall): Promise<Outputs> {
  const items = itemsOf(call);
  const settings = await settingsOfFirst(call, items);
  const pairedItem = items.map((_, item) => ({ item }));
  const made: Item = { json: { table: htmlTable(items, settings) }, pairedItem };
  return outputsOf(items, [[made]], call.node.onError);
}

/** HTML: a text from a template, fields by selectors, or a table of all items. */
export const handleHtml: Handler = (call) => {
  switch (call.node.parameters['operation']) {
    case 'extractHtmlContent':
      return handleHtmlExtract(call);
    case 'convertToHtmlTable':
      return convertToTable(call);
    default:
      return generate(call);
  }
};
