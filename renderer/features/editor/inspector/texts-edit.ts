import type { FormEdit } from '../../../../server/spec/language/inspect/form.ts';
import type { Path } from '../../../../server/spec/values/path.ts';

/** The smallest change of a list of texts: one item more at its end, one less, or the whole list. */
export function textsEdit(
  path: Path,
  before: readonly string[],
  after: readonly string[],
  written: boolean,
): FormEdit {
  const whole: FormEdit = { op: 'set', path, value: [...after] };
  if (after.length === 0) return written ? { op: 'clear', path } : whole;
  const common = before.findIndex((item, index) => item !== after[index]);
  const at = common < 0 ? before.length : common;
  const last = after.at(-1);
  if (before.length > 0 && after.length === before.length + 1 && at === before.length) {
    return last === undefined ? whole : { op: 'insert', path: [...path, at], value: last };
  }
  const isOneLess = before.toSpliced(at, 1).join('\n') === after.join('\n');
  return isOneLess && before.length === after.length + 1
    ? { op: 'remove', path: [...path, at] }
    : whole;
}
