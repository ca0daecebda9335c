import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenSpecs } from '../../../../test/support/graph-operations.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { applyEdits } from '../../edit/text-edit.ts';
import { layerDocuments } from '../../load/overlay.ts';
import { emitYaml } from '../../yaml/emit-yaml.ts';
import { formatOfFile } from '../../yaml/parse-yaml.ts';
import { isSameName } from '../definition.ts';
import type { NameSpot } from '../name-index.ts';
import { openDocument } from '../open-document.ts';
import { renameAt } from '../rename.ts';
import { nameInProject, type ProjectText } from './project-names.ts';
import { renameInProject } from './rename-in-project.ts';

const NEW = 'fresh one';
/** Taken away, they would change what a name is the name of. */
const TELLING = new Set(['kind', 'type', 'id', 'version']);

/** A part of a document with some keys taken away by null, as an overlay may have it. */
function partOf(value: Json, draw: () => number): Json {
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const dice = draw();
    if (dice % 3 === 0) return [];
    const gone = dice % 7 === 1 && !TELLING.has(key) && !isJsonObject(item);
    return [[key, gone ? null : partOf(item, draw)]];
  });
  return Object.fromEntries(kept);
}

function projectText(ref: string, text: string): ProjectText {
  const overlay = ref !== 'base';
  const format = formatOfFile(text.startsWith('{') ? 'a.json' : 'a.yaml');
  return { ref, text, overlay, over: ['base'], open: () => openDocument(text, format) };
}

function documentIn(text: string): JsonObject {
  const { value } = projectText('base', text).open().parsed;
  if (value === undefined) throw new Error(text);
  return value;
}

/** The composed text with the name changed in itself. */
function renamedWhole(composed: string, name: NameSpot): Json {
  const document = openDocument(composed);
  const spot = document.names().find((one) => isSameName(one, name));
  if (spot === undefined) return documentIn(composed);
  const outcome = renameAt(document, spot.start, NEW);
  if ('problem' in outcome) throw new Error(outcome.problem);
  return documentIn(applyEdits(composed, outcome.edits));
}

function renamed(texts: readonly ProjectText[], ref: string, offset: number, name: string) {
  const outcome = renameInProject(texts, { ref, offset }, name);
  if ('problem' in outcome) throw new Error(outcome.problem);
  return texts.map((text) => {
    const edits = outcome.files.find((one) => one.ref === text.ref)?.edits ?? [];
    return projectText(text.ref, applyEdits(text.text, edits));
  });
}

test('renamed layers compose to the renamed composition, and renamed back they are as they were', () => {
  let across = 0;
  fc.assert(
    fc.property(
      writtenSpecs,
      fc.array(fc.nat(100), { minLength: 60, maxLength: 60 }),
      fc.nat(1_000),
      fc.boolean(),
      ({ text }, dice, pick, fromOverlay) => {
        let at = 0;
        const draw = (): number => dice[at++ % dice.length] ?? 0;
        const part = partOf(documentIn(text), draw);
        const over = `# above\n${emitYaml(isJsonObject(part) && Object.keys(part).length > 0 ? part : { metadata: {} })}`;
        const texts = [projectText('base', text), projectText('over', over)];
        const [base, overlay] = texts;
        if (base === undefined || overlay === undefined) return;
        const start = fromOverlay ? overlay : base;
        const places = start.open().names();
        const spot = places[pick % Math.max(1, places.length)];
        const found = spot && nameInProject(texts, { ref: start.ref, offset: spot.start });
        if (spot === undefined || found === undefined) return;
        if (found.files.length === 2) across += 1;

        const after = renamed(texts, start.ref, spot.start, NEW);
        const composed = (all: readonly ProjectText[]): JsonObject =>
          layerDocuments(documentIn(all[0]?.text ?? ''), [documentIn(all[1]?.text ?? '')]);
        expect(composed(after)).toEqual(renamedWhole(emitYaml(composed(texts)), found.name));

        const again = after.find(({ ref }) => ref === start.ref);
        const back = again
          ?.open()
          .names()
          .find(({ name }) => name === NEW);
        if (back === undefined) throw new Error('The new name is not there.');
        const restored = renamed(after, start.ref, back.start, found.name.name);
        expect(restored.map((one) => one.text)).toEqual([text, over]);
      },
    ),
    { numRuns: 400 },
  );
  expect(across).toBeGreaterThan(100);
});
