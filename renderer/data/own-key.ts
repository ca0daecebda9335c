import { SERVED } from './served.ts';

const KEY = 'sw:key';

/** The key of the service that served this page, as far as this tab was told it. */
export function ownKey(): string | null {
  return SERVED.sign_in === 'key' ? sessionStorage.getItem(KEY) : null;
}

/** Keeps the key for this tab until it is closed. */
export function keepKey(key: string): void {
  sessionStorage.setItem(KEY, key);
}

/** This tab shows no key any more. */
export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
}
