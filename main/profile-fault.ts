import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { t } from '../preload/texts/t.ts';
import { systemCode } from '../server/kernel/system-code.ts';

const PROBE = '.specwright-probe-';

/** Why nothing may be kept in a folder, by what the system says; a full disk is none of these. */
function reasonOf(code: string | undefined): string | undefined {
  switch (code) {
    case 'EROFS':
      return t('its disk can only be read');
    case 'EACCES':
    case 'EPERM':
      return t('it belongs to somebody else, or its rights were taken away');
    case 'ENOTDIR':
      return t('something on the way to it is a file');
    default:
      return undefined;
  }
}

/** The folder, or the nearest one above it that is there: what cannot be made says little about why. */
function standing(folder: string): string {
  const above = path.dirname(folder);
  return existsSync(folder) || above === folder ? folder : standing(above);
}

/**
 * Why the program cannot start with the folder that it keeps its state in, in words for a person;
 * undefined = it can. Without that folder the window would end at once and say nothing.
 */
export function profileFault(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(path.join(standing(folder), PROBE)));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return undefined;
  } catch (error) {
    const reason = reasonOf(systemCode(error));
    if (reason === undefined) return undefined;
    return t(
      'Specwright keeps its state in {folder}, and may not write there: {reason}. Make it writable, or start with --user-data-dir=FOLDER to name another one. Nothing was changed.',
      { folder, reason },
    );
  }
}
