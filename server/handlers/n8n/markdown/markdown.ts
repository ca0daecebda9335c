import { NodeHtmlMarkdown, type NodeHtmlMarkdownOptions } from 'node-html-markdown';
import type { JsonObject } from '../../../items/item.ts';
import { forEachItem } from '../each-item.ts';
import { copyOf, pathOf, setPath } from '../field-path.ts';
import { refuseCostlyMarkup } from '../html/costly-text.ts';
import { keptByOptions } from '../kept-by-options.ts';
import type { Settings } from '../step-settings.ts';
import { plainHtmlToMarkdown } from './plain-html-to-markdown.ts';
import { plainMarkdown } from './plain-markdown.ts';
import { showdown } from './quick-showdown.ts';

const TEXTS = [
  ...['bulletMarker', 'codeFence', 'emDelimiter', 'strongDelimiter'],
  ...['strikeDelimiter', 'codeBlockStyle'],
] as const;

/** Options that are lists of tags, with commas between them or as a list. */
function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
  return list.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

const markdownWriter = keptByOptions((options) => {
  const texts = TEXTS.flatMap((name) => {
    const given = options[name];
    return typeof given === 'string' && given !== '' ? [[name, given] as const] : [];
  });
  const chosen: Partial<NodeHtmlMarkdownOptions> = Object.fromEntries(texts);
  return new NodeHtmlMarkdown({
    ...chosen,
    ignore: tagsOf(options['ignore']),
    blockElements: tagsOf(options['blockElements']),
    keepDataImages: options['keepDataImages'] === true,
    ...(options['useLinkReferenceDefinitions'] === true
      ? { useLinkReferenceDefinitions: true }
      : {}),
    ...(options['maxConsecutiveNewlines'] === undefined
      ? {}
      : { maxConsecutiveNewlines: Number(options['maxConsecutiveNewlines']) }),
  });
});

const htmlWriter = keptByOptions((options) => {
  const converter = new showdown.Converter();
  for (const [name, value] of Object.entries(options)) converter.setOption(name, value);
  return converter;
});

function toMarkdown(html: string, options: JsonObject): string {
  const plain = Object.keys(options).length === 0 ? plainHtmlToMarkdown(html) : null;
  if (plain !== null) return plain;
  refuseCostlyMarkup(html);
  return markdownWriter(options).translate(html);
}

function toHtml(markdown: string, options: JsonObject): string {
  const plain = plainMarkdown(markdown, options);
  if (plain !== null) return plain;
  refuseCostlyMarkup(markdown);
  return htmlWriter(options).makeHtml(markdown);
}

function converted(settings: Settings): string {
  const options = settings.object('options');
  return settings.text('mode', 'htmlToMarkdown') === 'markdownToHtml'
    ? toHtml(settings.text('markdown'), options)
    : toMarkdown(settings.text('html'), options);
}

/** Markdown, both ways: the item with one field more. */
export const handleMarkdown = forEachItem(({ item, at, settings }) => {
  const json = copyOf(item.json);
  setPath(json, pathOf(settings.text('destinationKey', 'data') || 'data'), converted(settings));
  return [{ ...item, json, pairedItem: { item: at } }];
});
