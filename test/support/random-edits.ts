// Edits of documents that property tests draw.
import fc from 'fast-check';
import type { Json } from '../../server/kernel/json.ts';
import type { DocumentEdit } from '../../server/spec/edit/edit-value.ts';
import type { Path } from '../../server/spec/values/path.ts';

const OPERATIONS = ['set', 'add', 'insert', 'delete', 'move', 'rename'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Paths of everything in a document, from the outside in. */
export function pathsOf(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [
    ...(at.length > 0 ? [at] : []),
    ...entries.flatMap(([key, item]) => pathsOf(item, [...at, key])),
  ];
}

function editOf(op: Operation, path: Path, value: Json, to: number): DocumentEdit {
  const last = path.at(-1);
  const index = typeof last === 'number' ? last : 0;
  switch (op) {
    case 'set':
      return { op, path, value };
    case 'add':
      return { op: 'set', path: [...path, 'fresh key'], value };
    case 'insert':
      return { op, path: [...path.slice(0, -1), index], value };
    case 'delete':
      return { op, path };
    case 'move':
      return { op, path, to };
    case 'rename':
      return { op, path, key: 'fresh key' };
  }
}

/** A way to edit any document: the edit at one of its places, with one of the values. */
export function randomEdit(
  values: fc.Arbitrary<Json>,
): fc.Arbitrary<(document: Json) => DocumentEdit> {
  return fc
    .record({ choice: fc.nat(), op: fc.constantFrom(...OPERATIONS), value: values, to: fc.nat(3) })
    .map(({ choice, op, value, to }) => (document) => {
      const all = pathsOf(document);
      return editOf(op, all[choice % all.length] ?? [], value, to);
    });
}
