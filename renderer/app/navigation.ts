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

/** True when a path of the window is the view of `path`, however its letters are encoded. */
export function isAtPath(pathname: string, path: string): boolean {
  return pathname === path || pathname === decodeURI(path);
}

/** Names the visit of a view: the same one again after Back, another one after a link. */
export function visitKey(): string {
  const { __TSR_key: key } = history.location.state;
  return key ?? '';
}

/** The `href` of a link to a path of `paths`. */
export function hrefOf(path: string): string {
  return `#${path}`;
}
