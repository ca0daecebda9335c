import { describe, expect, test } from 'vitest';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { editManyPlaces } from './edit-text.ts';
import type { DocumentEdit } from './edit-value.ts';
import { applyEdits } from './text-edit.ts';

const TEXT = 'a: 1 # one\nlist: [x, y] # two\nitems:\n  - p\n  - q # last\n';

function edited(changes: readonly DocumentEdit[], text = TEXT): string | undefined {
  const edits = editManyPlaces(parseSpecText(text, 'yaml'), changes, 'yaml');
  return edits && applyEdits(text, edits);
}

describe('many changes of one text', () => {
  test('are made at once, with every comment where it was', () => {
    expect(
      edited([
        { op: 'set', path: ['a'], value: 2 },
        { op: 'move', path: ['list', 1], to: 0 },
        { op: 'rename', path: ['items'], key: 'things' },
        { op: 'insert', path: ['items', 2], value: 'r' },
        { op: 'set', path: ['new'], value: true },
      ]),
    ).toBe('a: 2 # one\nlist: [y, x] # two\nthings:\n  - p\n  - q # last\n  - r\nnew: true\n');
    expect(edited([{ op: 'move', path: ['items', 1], to: 0 }])).toBe(
      TEXT.replace('  - p\n  - q # last\n', '  - q # last\n  - p\n'),
    );
  });

  test.each<[string, readonly DocumentEdit[], string?]>([
    ['in a text that cannot be read', [{ op: 'set', path: ['a'], value: 2 }], 'a: [\n'],
    ['that moves an entry of a mapping', [{ op: 'move', path: ['a'], to: 1 }]],
    ['that renames an item of a list', [{ op: 'rename', path: ['list', 0], key: 'z' }]],
    ['that takes away what is not there', [{ op: 'delete', path: ['gone'] }]],
    ['below a value that holds nothing', [{ op: 'set', path: ['a', 'b'], value: 1 }]],
    ['of the whole text', [{ op: 'set', path: [], value: 1 }]],
    [
      'where two meet',
      [
        { op: 'set', path: ['list'], value: 'none' },
        { op: 'set', path: ['list', 0], value: 'z' },
      ],
    ],
  ])('are refused together with one %s', (_, changes, text = TEXT) => {
    expect(edited([{ op: 'rename', path: ['items'], key: 'things' }, ...changes], text)).toBe(
      undefined,
    );
  });
});
