import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const app = path.resolve(import.meta.dirname, '../../../renderer/app');

/** The addresses that the window's router declares, as it writes them: `/runs/$runId`. */
export function windowPages(): string[] {
  return readdirSync(app)
    .filter((file) => file.endsWith('routes.tsx'))
    .flatMap((file) => [
      ...readFileSync(path.join(app, file), 'utf8').matchAll(/\bpath: '([^']+)'/g),
    ])
    .map(([, page = '']) => page)
    .sort();
}

/** Where operators work: all of the window but the projects of authors and what the program tells of itself. */
export function operatorPages(): string[] {
  return windowPages().filter((page) => page !== '/' && !/^\/(?:projects|settings\/)/.test(page));
}
