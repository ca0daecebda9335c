import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editedSpec } from '../../../test/support/edited-workflow.ts';
import { operations, writtenSpecs } from '../../../test/support/graph-operations.ts';
import { applyEdits, type TextEdit } from '../edit/text-edit.ts';
import { topologyOf } from '../graph/topology.ts';
import { formatOfFile } from '../yaml/parse-yaml.ts';
import { graphEdit } from './graph-edit.ts';
import { openDocument } from './open-document.ts';

/** The text between the edits. */
function kept(text: string, edits: readonly TextEdit[]): string[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  const starts = [0, ...sorted.map(({ end }) => end)];
  const ends = [...sorted.map(({ start }) => start), text.length];
  return starts.map((start, index) => text.slice(start, ends[index]));
}

function comments(text: string): number {
  return (
    text.match(/# (?:above|beside|the work|who works|writes|the end|of the language)/g)?.length ?? 0
  );
}

const ADDING = new Set([
  'add_step',
  'connect',
  'retarget',
  'set_condition',
  'rename_step',
  'move_step',
  'wrap',
]);

test('random operations on random texts', () => {
  const done = new Map<string, number>();
  fc.assert(
    fc.property(writtenSpecs, operations, ({ text, file }, draw) => {
      const document = openDocument(text, formatOfFile(file));
      const { spec } = document.validation();
      if (spec === undefined) throw new Error('The drawn text is no spec.');
      const operation = draw(spec);
      const outcome = operation && graphEdit(document, operation);
      if (operation === undefined || outcome === undefined || 'problem' in outcome) {
        done.set('refused', (done.get('refused') ?? 0) + 1);
        return;
      }
      done.set(operation.op, (done.get(operation.op) ?? 0) + 1);
      const made = applyEdits(text, outcome.edits);
      const after = openDocument(made, formatOfFile(file));
      const errors = after.findings().filter(({ severity }) => severity === 'error');
      const before = document.findings().filter(({ severity }) => severity === 'error');
      expect(errors.map(({ code }) => code)).toEqual(
        before.map(({ code }) => code).slice(0, errors.length),
      );
      const fresh = after.findings().map(({ message }) => message);
      const known = document.findings().map(({ message }) => message);
      for (const message of fresh) expect([...known, ...outcome.notes]).toContain(message);
      const drawn = after.validation().spec;
      expect(drawn && topologyOf(drawn)).toEqual(topologyOf(editedSpec(spec, operation)));
      let at = 0;
      for (const part of kept(text, outcome.edits)) {
        const found = made.indexOf(part, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + part.length;
      }
      if (ADDING.has(operation.op)) expect(comments(made)).toBeGreaterThanOrEqual(comments(text));
      expect(/(?<!\r)\n/.test(made)).toBe(/(?<!\r)\n/.test(text));
      expect(made.endsWith(text.slice(-2))).toBe(true);
    }),
    { numRuns: 600 },
  );
  // Each operation was made, not only refused.
  expect([...done.keys()].sort()).toEqual([
    'add_step',
    'connect',
    'delete_line',
    'delete_step',
    'move_step',
    'refused',
    'rename_step',
    'retarget',
    'set_condition',
    'set_fallback',
    'wrap',
  ]);
});
