import path from 'node:path';

/**
 * The file behind a path of the window's origin: the asset itself, or the document for an address
 * of the workbench. Undefined for a missing asset and for a path that leaves the folder.
 */
export function resolveAsset(
  folder: string,
  pathname: string,
  isFile: (file: string) => boolean,
): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const document = path.join(folder, 'index.html');
  const file = path.resolve(folder, `.${path.posix.normalize(`/${decoded}`)}`);
  if (!file.startsWith(folder + path.sep)) return document;
  if (isFile(file)) return file;
  return path.extname(file) === '' ? document : undefined;
}
