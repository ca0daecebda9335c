import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js';
import type { DiagnosticsFile } from '../../preload/desktop-api.ts';

/** The chosen files as one archive, each byte for byte as it was shown. */
export async function packDiagnostics(
  files: readonly DiagnosticsFile[],
  names: readonly string[],
): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const { name, text } of files.filter((file) => names.includes(file.name))) {
    await writer.add(name, new TextReader(text));
  }
  return writer.close();
}

/** The name that is proposed for a bundle; a file name has no colons. */
export function bundleName(now: Date): string {
  return `specwright-diagnostics-${now.toISOString().slice(0, 19).replaceAll(':', '')}.zip`;
}
