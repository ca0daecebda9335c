import { type OpenDocument, openDocument } from '../../../server/spec/language/open-document.ts';
import { formatOfFile } from '../../../server/spec/yaml/parse-yaml.ts';

/** A text and the name of its file, which says whether it is YAML or JSON. */
export interface WholeText {
  readonly text: string;
  readonly file: string;
}

const MAX_OPEN = 4;

/**
 * The newest version of each text, read once for all questions about it. A newer version is read
 * only where it differs.
 */
export function createDocuments(): (whole: WholeText) => OpenDocument {
  const open = new Map<string, OpenDocument>();
  return ({ text, file }) => {
    const known = open.get(file);
    const made = known?.text === text ? known : openDocument(text, formatOfFile(file), known);
    open.delete(file);
    open.set(file, made);
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
    return made;
  };
}
