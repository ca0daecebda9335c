import type { SavedFile } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { saveBinaryFile, saveTextFile } from '../desktop/bridge.ts';
import { graphSvg } from './graph-svg.ts';
import type { LaidOut } from './use-layout.ts';

function fileStem(label: string): string {
  return label.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'graph';
}

/** Saves the graph as an SVG file. */
export async function exportSvg(laidOut: LaidOut, label: string): Promise<SavedFile> {
  return saveTextFile(`${fileStem(label)}.svg`, graphSvg(laidOut.graph, laidOut.layout).svg);
}

/** Saves the graph as a PNG picture, twice its natural size. */
export async function exportPng(laidOut: LaidOut, label: string): Promise<SavedFile> {
  const { svg, width, height } = graphSvg(laidOut.graph, laidOut.layout);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) {
    throw new Error(t('The picture is too large for this window.'));
  }
  const content = new Uint8Array(await blob.arrayBuffer());
  return saveBinaryFile(`${fileStem(label)}.png`, content, blob.type);
}
