import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../edit/text-edit.ts';
import { formatOfFile } from '../../yaml/parse-yaml.ts';
import { openDocument } from '../open-document.ts';
import { definitionsInProject, nameInProject, type ProjectText } from './project-names.ts';
import { renameInProject } from './rename-in-project.ts';

const BASE = `version: v1
agent: {name: desk, tools: [search]}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: "writer"}
    tidy: {id: tidy, kind: function, ref: writer} # a function of that name
  edges: [{from: sort, to: tidy}]
components:
  agents:
    "writer": {name: writer} # the agent
  functions:
    writer: {implementation: texts.tidy}
tools:
  search: {implementation: web.search}
`;

/** It says of no node of what kind it is: the base does. */
const OVER = `components:
  agents:
    writer: # quick
      model: {provider: dummy, name: m}
workflow:
  nodes:
    tidy: {max_retries: 2, ref: writer}
    sort: {ref: 'writer'}
  start: sort
`;

function texts(
  files: Readonly<Record<string, string>>,
  over: Readonly<Record<string, readonly string[]>> = {},
): ProjectText[] {
  return Object.entries(files).map(([ref, text]) => ({
    ref,
    text,
    overlay: !text.startsWith('version') && !text.startsWith('{"version"'),
    over: over[ref] ?? [],
    open: () => openDocument(text, formatOfFile(ref)),
  }));
}

/** The place of the first character of a part. */
function at(files: Readonly<Record<string, string>>, ref: string, part: string) {
  const offset = files[ref]?.indexOf(part) ?? -1;
  if (offset < 0) throw new Error(`no ${part}`);
  return { ref, offset };
}

const FILES = { 'base.yaml': BASE, 'over.yaml': OVER };

function renamed(
  files: Readonly<Record<string, string>>,
  place: { ref: string; offset: number },
  name: string,
  over?: Readonly<Record<string, readonly string[]>>,
) {
  const outcome = renameInProject(texts(files, over), place, name);
  if ('problem' in outcome) return outcome;
  return Object.fromEntries(
    outcome.files.map(({ ref, tie, edits, problem }) => [
      ref,
      { tie, problem, text: applyEdits(files[ref] ?? '', edits) },
    ]),
  );
}

describe('a name in base and overlays', () => {
  test('is renamed where it means the same, in its own quotes; comments and all else stay', () => {
    const wanted = {
      'base.yaml': {
        tie: 'here',
        problem: null,
        text: BASE.replace('ref: "writer"', 'ref: "author"').replace('"writer":', '"author":'),
      },
      'over.yaml': {
        tie: 'only',
        problem: null,
        text: OVER.replace('writer: #', 'author: #').replace("'writer'", "'author'"),
      },
    };
    expect(renamed(FILES, at(FILES, 'base.yaml', 'writer": {name'), 'author')).toEqual(wanted);
  });

  test('is renamed from the overlay too, and the function of that name stays apart', () => {
    const place = at(FILES, 'over.yaml', 'writer}\n');
    expect(renamed(FILES, place, 'cleaner')).toEqual({
      'over.yaml': {
        tie: 'here',
        problem: null,
        text: OVER.replace('ref: writer}', 'ref: cleaner}'),
      },
      'base.yaml': {
        tie: 'only',
        problem: null,
        text: BASE.replace('function, ref: writer', 'function, ref: cleaner').replace(
          '    writer: {impl',
          '    cleaner: {impl',
        ),
      },
    });
  });

  test('a step is renamed in its workflow, from a layer that does not say its type', () => {
    const place = at(FILES, 'over.yaml', 'sort: {ref');
    const outcome = renamed(FILES, place, 'route');
    expect(outcome).toMatchObject({
      'over.yaml': {
        text: OVER.replace('sort: {', 'route: {').replace('start: sort', 'start: route'),
      },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/\bsort\b/);
  });

  test('the drafts are told apart by what is known of them', () => {
    const files = { ...FILES, 'other.yaml': BASE, 'more.yaml': OVER, 'far.yaml': OVER };
    const place = at(files, 'base.yaml', 'writer": {name');
    const ties = (over?: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(renamed(files, place, 'author', over)).map(([ref, { tie }]) => [ref, tie]);
    expect(ties()).toEqual([
      ['base.yaml', 'here'],
      ['far.yaml', 'possible'],
      ['more.yaml', 'possible'],
      ['over.yaml', 'possible'],
    ]);
    expect(
      ties({ 'over.yaml': ['base.yaml'], 'far.yaml': ['other.yaml'], 'more.yaml': ['base.yaml'] }),
    ).toEqual([
      ['base.yaml', 'here'],
      ['far.yaml', 'possible'],
      ['more.yaml', 'known'],
      ['over.yaml', 'known'],
    ]);
    // An overlay of two bases would no longer fit the one that keeps the name.
    expect(ties({ 'over.yaml': ['base.yaml', 'other.yaml'] })).toContainEqual([
      'other.yaml',
      'known',
    ]);
  });

  test('a draft where the new name is taken, or that cannot be read, says so', () => {
    const files = {
      ...FILES,
      'over.yaml': OVER.replace(
        '    writer: # quick',
        '    author: {name: x}\n    writer: # quick',
      ),
      'broken.yaml': 'components:\n  agents:\n    writer: {name: [\n',
    };
    const outcome = renamed(files, at(files, 'base.yaml', 'writer": {name'), 'author');
    expect(outcome).toMatchObject({
      'base.yaml': { problem: null },
      'over.yaml': { problem: '"author" is already the name of another agent.' },
      'broken.yaml': { problem: expect.stringContaining('has a fault') },
    });
  });

  test('what cannot be a name, or is none, is refused', () => {
    const place = at(FILES, 'base.yaml', 'writer": {name');
    expect(renamed(FILES, place, ' ')).toEqual({ problem: 'A name cannot be empty.' });
    expect(renamed(FILES, place, 'writer')).toEqual({ problem: 'It is called so already.' });
    expect(renamed(FILES, at(FILES, 'base.yaml', 'version'), 'x')).toEqual({
      problem: 'There is no name to change here.',
    });
    const taken = {
      'base.yaml': BASE.replace('  functions:', '    author: {name: b}\n  functions:'),
    };
    expect(renamed(taken, at(taken, 'base.yaml', 'writer": {name'), 'author')).toEqual({
      problem: '"author" is already the name of another agent.',
    });
  });

  test('a step that is named by its agent follows it in every draft', () => {
    const files = {
      'base.yaml': `version: v1\nagent: {name: desk}\nworkflow: {type: sequential, steps: [writer]}\ncomponents: {agents: {writer: {name: w}}}\n`,
      'over.yaml':
        'workflow:\n  steps:\n    - {id: writer, kind: agent, ref: writer}\n    - {id: b, kind: agent, ref: writer, on_error: fallback, fallback_ref: writer}\n',
    };
    const outcome = renamed(files, at(files, 'base.yaml', 'writer: {name'), 'author');
    expect(JSON.stringify(outcome)).not.toContain('writer');
  });

  test('definition leads from an overlay into its base; references from there into it', () => {
    const all = texts(FILES);
    const define = (ref: string, part: string) =>
      definitionsInProject(all, at(FILES, ref, part)).map((one) => [
        one.ref,
        one.spot.kind,
        one.spot.start,
      ]);
    const agent = ['base.yaml', 'agent', BASE.indexOf('"writer": {name')];
    expect(define('over.yaml', "writer'")).toEqual([agent]);
    expect(define('over.yaml', 'writer: # quick')).toEqual([agent]);
    expect(define('base.yaml', 'writer"}')).toEqual([agent]);
    expect(define('over.yaml', 'writer}')).toEqual([
      ['base.yaml', 'function', BASE.indexOf('writer: {impl')],
    ]);
    expect(define('over.yaml', 'provider')).toEqual([]);
    const uses = nameInProject(all, at(FILES, 'base.yaml', 'writer": {name'));
    expect(uses?.files.map(({ text, spots }) => [text.ref, spots.length])).toEqual([
      ['base.yaml', 2],
      ['over.yaml', 2],
    ]);
  });

  test('an overlay in JSON is written as JSON', () => {
    const files = {
      'base.yaml': BASE,
      'over.json': '{"components": {"agents": {"writer": {"description": "x"}}}}',
    };
    expect(renamed(files, at(files, 'base.yaml', 'writer": {name'), 'the author')).toMatchObject({
      'over.json': { text: files['over.json'].replace('writer', 'the author') },
    });
  });
});
