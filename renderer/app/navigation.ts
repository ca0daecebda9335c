import { createBrowserHistory, createHashHistory } from '@tanstack/react-router';
import { isProgramPath } from '../../server/contract/served.ts';
import { environmentStore } from '../data/chosen-environment.ts';
import { placeOf } from './paths.ts';

/** The program's own window serves one file; a web address has a path of its own for each place. */
const isBehindHash = window.location.protocol === 'app:';
const HASHED = /^#(?=\/)/;

/** An address of a web page as earlier versions wrote it means its path. */
function leaveHash(): boolean {
  const { hash } = window.location;
  if (isBehindHash || !HASHED.test(hash)) {
    return false;
  }
  window.history.replaceState(null, '', hash.replace(HASHED, ''));
  return true;
}

leaveHash();

/** Addresses of the window: paths, behind `#` in the program's own window. */
export const history = isBehindHash ? createHashHistory() : createBrowserHistory();

const OF_OPERATORS: ReadonlySet<string> = new Set(['operate', 'runs', 'tasks']);

/** The path with the environment that this window shows, where it shows what runs. */
export function withEnvironment(path: string): string {
  const [before = '', search = ''] = path.split('?');
  if (!OF_OPERATORS.has(placeOf(before))) {
    return path;
  }
  const query = new URLSearchParams(search);
  const environment = environmentStore.get();
  if (environment === null) {
    query.delete('env');
  } else {
    query.set('env', environment);
  }
  return query.size === 0 ? before : `${before}?${query}`;
}

/** Goes to a path of `paths`. */
export function navigateTo(path: string, options: { readonly replace?: boolean } = {}): void {
  const full = withEnvironment(path);
  if (options.replace === true) {
    history.replace(full);
  } else {
    history.push(full);
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
  const full = withEnvironment(path);
  return isBehindHash ? `#${full}` : full;
}

/** Where the window is, with its query. */
export function currentPath(): string {
  const { hash, pathname, search } = window.location;
  return isBehindHash ? hash.replace(/^#/, '') : `${pathname}${search}`;
}

/** True when the address names no place. */
export function isAtStart(): boolean {
  return /^\/?$/.test(currentPath());
}

/** The place of the window that a click on a link goes to; undefined where the browser goes. */
function placeOfClick(event: MouseEvent): string | undefined {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  const isPlain = button === 0 && !(altKey || ctrlKey || metaKey || shiftKey);
  if (!isPlain || event.defaultPrevented || !(target instanceof Element)) {
    return undefined;
  }
  const link = target.closest<HTMLAnchorElement>('a[href]');
  const href = link?.getAttribute('href') ?? '';
  const stays = link?.target === '' && !link.hasAttribute('download');
  const isPath = href.startsWith('/') && !href.startsWith('//');
  return stays && isPath && !isProgramPath(href) ? href : undefined;
}

/**
 * Follows links to places without loading the page anew, and addresses of earlier versions. Returns
 * the function that stops it.
 */
export function followLinks(): () => void {
  const click = (event: MouseEvent): void => {
    const path = placeOfClick(event);
    if (path !== undefined) {
      event.preventDefault();
      history.push(path);
    }
  };
  const changed = (): void => {
    if (leaveHash()) {
      history.replace(currentPath());
    }
  };
  document.addEventListener('click', click);
  window.addEventListener('hashchange', changed);
  return () => {
    document.removeEventListener('click', click);
    window.removeEventListener('hashchange', changed);
  };
}
