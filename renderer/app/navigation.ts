import { createHashHistory } from '@tanstack/react-router';

/** Addresses live behind `#`, so that they work on `app://` and on any web origin alike. */
export const history = createHashHistory();

/** Goes to a path of `paths`. */
export function navigateTo(path: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace === true) {
    history.replace(path);
  } else {
    history.push(path);
  }
}

/** The `href` of a link to a path of `paths`. */
export function hrefOf(path: string): string {
  return `#${path}`;
}
