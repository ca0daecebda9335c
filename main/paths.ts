import path from 'node:path';
import { app } from 'electron';

/** The archive cannot be read by the services' Node: what they need lies beside it. */
function unpacked(file: string): string {
  return file.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`);
}

export const RENDERER_FOLDER = path.join(import.meta.dirname, '../renderer');
export const WINDOW_ICON = path.join(import.meta.dirname, '../../resources/icons/256x256.png');
export const SERVICES_ENTRY = unpacked(path.join(import.meta.dirname, 'server.mjs'));

/** `--data`, else SPECWRIGHT_HOME, else the shell's own folder (decisions 30). */
export function dataFolder(given: string | undefined): string {
  const home = process.env['SPECWRIGHT_HOME'];
  if (given !== undefined) return given;
  return home === undefined || home === '' ? app.getPath('userData') : path.resolve(home);
}
