/** Id and name of an n8n workflow, as far as it has them. */
interface Names {
  readonly id: string | null;
  readonly name: string | null;
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** What the file says of its workflow; nothing when it is no JSON object. */
export function workflowNames(text: string): Names {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) {
      return {
        id: 'id' in document ? word(document.id) : null,
        name: 'name' in document ? word(document.name) : null,
      };
    }
  } catch {
    // Not JSON: nothing is known of it here, and the importer will say what is wrong.
  }
  return { id: null, name: null };
}
