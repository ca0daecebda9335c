/** Why an offered file cannot be converted, before any importer sees it. */
export interface SourceProblem {
  readonly code: 'file_unreadable' | 'source_too_large' | 'not_utf8' | 'archive_refused';
  readonly message: string;
}

/** A file to convert: its name as the user sees it and its text, or why there is none. */
export interface SourceFile {
  readonly path: string;
  read(): string | SourceProblem;
}

/** The bytes as strict UTF-8, without a mark of their order. */
export function decodeSource(bytes: Uint8Array): string | SourceProblem {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { code: 'not_utf8', message: 'The file is not UTF-8 text.' };
  }
}
