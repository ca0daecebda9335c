/** A part of a form: a text, or a file. */
export interface FormPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function headOf({ name, fileName, type }: FormPart): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
  const told = type === undefined ? '' : `Content-Type: ${type.replaceAll(/[\r\n]/g, ' ')}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${told}\r\n`;
}

/** Joins pieces of bytes. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The body of a form with files; the boundary must occur in no part. */
export function multipartBody(parts: readonly FormPart[], boundary: string): Uint8Array {
  const encoder = new TextEncoder();
  const pieces = parts.flatMap((part) => [
    encoder.encode(`--${boundary}\r\n${headOf(part)}`),
    typeof part.content === 'string' ? encoder.encode(part.content) : part.content,
    encoder.encode('\r\n'),
  ]);
  return joined([...pieces, encoder.encode(`--${boundary}--\r\n`)]);
}
