import { t } from '../../preload/texts/t.ts';
import { notifyDone, notifyError } from './notify.tsx';

/** Puts a text on the clipboard and says so; `what` begins a sentence, such as “The address”. */
export function copyText(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => notifyDone(t('{what} is copied', { what })),
    (error: unknown) => notifyError(t('{what} was not copied', { what }), error),
  );
}
