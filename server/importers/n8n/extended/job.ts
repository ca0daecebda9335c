import { at, listOf, textOf, type Value } from '../../value.ts';
import { BASE, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';

/** A longer text is left out: it would have to be cut before its secrets are taken out. */
const MAX_JOB = 120;
const MAX_FIELDS = 5;

/** The literal beginning of a text, up to the first expression. */
function beginning(value: Value | undefined): string {
  const text = textOf(value);
  if (text === undefined) return '';
  const reading = readText(text);
  return (reading.computed ? (reading.text.split('{{')[0] ?? '') : reading.text).trim();
}

/** Method and address of a request, without what is asked for there. */
function requestOf(node: N8nNode): string | undefined {
  const [address = ''] = beginning(node.parameters.get('url')).split(/[?#]/);
  if (!/^https?:\/\/[^\s"]+$/.test(address)) return undefined;
  const method = node.parameters.get('method') ?? node.parameters.get('requestMethod');
  return `${beginning(method) || 'GET'} ${address}`;
}

function fieldsOf(node: N8nNode): string | undefined {
  const lists = [...listOf(at(node.parameters, 'assignments', 'assignments'))];
  const legacy = node.parameters.get('values');
  if (legacy instanceof Map) for (const list of legacy.values()) lists.push(...listOf(list));
  const names = lists.map((item) => textOf(at(item, 'name')) ?? '').filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const more = names.length > MAX_FIELDS ? ' …' : '';
  return `set ${names.slice(0, MAX_FIELDS).join(', ')}${more}`;
}

function actionOf(node: N8nNode): string | undefined {
  const words = ['resource', 'operation'].map((key) => beginning(node.parameters.get(key)));
  const told = words.filter((word) => /^[\w :.-]+$/.test(word));
  return told.length === 0 ? undefined : told.join(' ');
}

/** What an element does, in the words of its parameters; undefined when they do not say it. */
export function jobOf(node: N8nNode): string | undefined {
  const job =
    node.type === `${BASE}httpRequest`
      ? requestOf(node)
      : node.type === `${BASE}set`
        ? fieldsOf(node)
        : actionOf(node);
  return job === undefined || job.length > MAX_JOB ? undefined : job.replaceAll('"', "'");
}
