import type { TextPlace } from './launch-model.ts';

/** Under this id stands the text of the spec that is launched. */
export const SPEC_TEXT_ID = 'launch-spec-text';

/** Lines that stay above the one that is shown. */
const ABOVE = 3;

/** Chooses a place in the text of the spec, and brings it into view. */
export function showInText({ line, start, end }: TextPlace): void {
  const field = document.getElementById(SPEC_TEXT_ID);
  if (!(field instanceof HTMLTextAreaElement)) {
    return;
  }
  field.focus();
  field.setSelectionRange(start, end);
  const height = Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (line - ABOVE) * height);
}
