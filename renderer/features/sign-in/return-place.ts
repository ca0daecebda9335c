import { currentPath } from '../../app/navigation.ts';

const KEY = 'sw:return';

/** The start, a sign-in, or what a failed sign-in left behind: nobody wants to come back there. */
const NOWHERE = /^\/?(?:\?error=.*)?$|^\/sign-in/;

/** Remembers where this tab is while somebody signs in at the provider. */
export function keepReturn(): void {
  const place = currentPath();
  if (!NOWHERE.test(place)) {
    sessionStorage.setItem(KEY, place);
  }
}

/** Where this tab was before the sign-in; asked once. Only a place of the window itself. */
export function takeReturn(): string {
  const place = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return place?.startsWith('/') === true ? place : '/';
}
