import { parseDocument } from 'yaml';
import { sameJson } from '../../kernel/same-json.ts';
import { parseSpecText, type SpecFormat } from '../yaml/parse-yaml.ts';
import { eolOf } from '../yaml/text-layout.ts';

/**
 * The text in the house form: indentation by 2, lists at the indent of their key, one blank line at
 * most, final newline. Comments, order, quoting, anchors, flow style and the kind of line break
 * stay. A text that cannot be read, or that would mean something else afterwards, is given back
 * unchanged.
 */
export function formatText(text: string, format: SpecFormat = 'yaml'): string {
  const before = parseSpecText(text, format);
  if (before.value === undefined) return text;
  const eol = eolOf(text);
  const breaks = (lines: string): string => (eol === '\n' ? lines : lines.replaceAll('\n', eol));
  if (format === 'json') return breaks(`${JSON.stringify(before.value, null, 2)}\n`);
  const formatted = breaks(formatYaml(text));
  const after = parseSpecText(formatted, 'yaml');
  return sameJson(after.value, before.value) ? formatted : text;
}

function formatYaml(text: string): string {
  const document = parseDocument(text.replace(/\r\n?/g, '\n'), {
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return document.toString({
    indent: 2,
    indentSeq: false,
    lineWidth: 0,
    flowCollectionPadding: false,
    verifyAliasOrder: false,
  });
}
