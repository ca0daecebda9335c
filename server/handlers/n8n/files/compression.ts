import type { BinaryReference, Item } from '../../../items/item.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { FieldFailure } from '../fields.ts';
import { bytesOf, fileNamed, fileOf } from './file-reference.ts';

function filesOf({ item, settings }: OneItem): BinaryReference[] {
  return settings
    .text('binaryPropertyName', 'data')
    .split(',')
    .map((name) => name.trim())
    .map((name) => fileNamed(item, name));
}

/** The version decides how the files that come out are called. */
function prefixOf({ call, settings }: OneItem): string {
  return settings.text('outputPrefix', call.node.version < 1.1 ? 'data' : 'file_');
}

type Files = Record<string, BinaryReference>;

async function unpacked(one: OneItem): Promise<Files> {
  const { archives } = one.call;
  const found: Files = {};
  let count = 0;
  const put = (file: BinaryReference): void => {
    found[`${prefixOf(one)}${count}`] = file;
    count += 1;
  };
  for (const file of filesOf(one)) {
    const bytes = bytesOf(file);
    const kind = `${file.mimeType} ${file.fileExtension ?? ''}`;
    if (/zip\b/.test(kind) && !/gzip|\bgz\b/.test(kind)) {
      for (const member of await archives.unzip(bytes))
        put(fileOf(member.bytes, { fileName: member.name.split('/').at(-1) ?? member.name }));
    } else if (/gzip|\bgz\b/.test(kind)) {
      const fileName = file.fileName?.replace(/\.gz$/i, '') ?? 'data';
      put(fileOf(await archives.gunzip(bytes), { fileName }));
    } else throw new FieldFailure(`'${file.fileName ?? ''}' is neither a zip nor a gzip file`);
  }
  return found;
}

async function zipped({ call, settings }: OneItem, files: readonly BinaryReference[]) {
  const members = files.map((file, at) => {
    return { name: file.fileName ?? `file_${at}`, bytes: bytesOf(file) };
  });
  const fileName = settings.text('fileName') || 'data.zip';
  const bytes = await call.archives.zip(members);
  return fileOf(bytes, { fileName, mimeType: 'application/zip' });
}

async function packed(one: OneItem): Promise<Files> {
  const { call, settings } = one;
  const files = filesOf(one);
  const output = settings.text('binaryPropertyOutput', 'data') || 'data';
  if (settings.text('outputFormat', 'zip') === 'zip') return { [output]: await zipped(one, files) };
  const found: Files = {};
  for (const [at, file] of files.entries()) {
    const own = `${file.fileName ?? 'file'}.gz`;
    const fileName = call.node.version < 1.1 ? own : settings.text('fileName') || own;
    const bytes = await call.archives.gzip(bytesOf(file));
    const name = call.node.version < 1.1 ? `${prefixOf(one)}${at}` : output;
    found[name] = fileOf(bytes, { fileName, mimeType: 'application/gzip' });
  }
  return found;
}

/** Compression: files of an item into a zip or gzip file, and out of one. */
export const handleCompression = forEachItem(async (one): Promise<Item[]> => {
  const isPack = one.settings.text('operation', 'decompress') === 'compress';
  const binary = isPack ? await packed(one) : await unpacked(one);
  return [{ json: one.item.json, binary, pairedItem: { item: one.at } }];
});
