import { isObject } from '../../kernel/json.ts';
import { StepFailure } from '../handler.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|x-yaml|yaml|csv))/i;
const DATA_URL = /^data:([^;,]*)(;base64)?,(.*)$/s;

function ofDataUrl(url: string): string | undefined {
  const [, type = '', base64, body = ''] = DATA_URL.exec(url) ?? [];
  if (!TEXT_TYPE.test(type)) return undefined;
  if (base64 === undefined) return decodeURIComponent(body);
  return new TextDecoder().decode(Uint8Array.fromBase64(body));
}

/** The text of a file that the run was given: its content, or an address that holds it. */
function textOfFile(file: unknown, { node }: DifyCall): string {
  if (typeof file === 'string') return file;
  const { content, text, url } = isObject(file) ? file : {};
  if (typeof content === 'string') return content;
  if (typeof text === 'string') return text;
  const held = typeof url === 'string' ? ofDataUrl(url) : undefined;
  if (held !== undefined) return held;
  throw new StepFailure(
    `'${node.name}' reads documents whose text comes with the run: give the file as {"name", "content"}.`,
  );
}

/** Document extractor: the texts of files that came with the run. */
export const handleDocumentExtractor: DifyHandler = (call) => {
  const value = call.pool.at(call.data['variable_selector']);
  if (value === undefined || value === null)
    throw new StepFailure(`'${call.node.name}' needs a file, and got none.`);
  const text = Array.isArray(value)
    ? value.map((file) => textOfFile(file, call))
    : textOfFile(value, call);
  return gives({ text });
};
