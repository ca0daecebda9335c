import { currentPath } from '../../app/navigation.ts';

const KEY = 'sw:return';

/** Remembers where this tab is while somebody signs in at the provider. */
export function keepReturn(): void {
  const place = currentPath();
  if (place !== '' && place !== '/' && !place.startsWith('/sign-in')) {
    sessionStorage.setItem(KEY, place);
  }
}

/** Where this tab was before the sign-in; asked once. Only a place of the window itself. */
export function takeReturn(): string {
  const place = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return place?.startsWith('/') === true ? place : '/';
}
