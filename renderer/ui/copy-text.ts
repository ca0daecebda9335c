import { notifyDone, notifyError } from './notify.tsx';

/** Puts a text on the clipboard and says so; `what` begins a sentence, such as “The address”. */
export function copyText(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => notifyDone(`${what} is copied`),
    (error: unknown) => notifyError(`${what} was not copied`, error),
  );
}
