import { topologyOf } from '../../server/spec/graph/topology.ts';
import { completionsAt } from '../../server/spec/language/completion.ts';
import { foldsOf } from '../../server/spec/language/folding.ts';
import { hoverAt } from '../../server/spec/language/hover.ts';
import { type OpenDocument, openDocument } from '../../server/spec/language/open-document.ts';
import { outlineOf } from '../../server/spec/language/outline.ts';
import { chainText } from './chain-text.ts';
import { type Figure, milliseconds, toFigure } from './harness.ts';

/** A sequential workflow with its agents, of about `lines` lines. */
function documentOf(lines: number): string {
  return chainText(Math.max(1, Math.floor((lines - 8) / 11)), { comments: true });
}

/** Every answer that the editor asks for after a keystroke. */
function answer(document: OpenDocument, offset: number): void {
  document.findings();
  const { spec } = document.validation();
  if (spec !== undefined) topologyOf(spec);
  outlineOf(document);
  foldsOf(document);
  completionsAt(document, offset);
  hoverAt(document, offset);
}

const WARMUP = 20;

/** Types at a place, one character after the other; milliseconds of each keystroke's answers. */
async function typing(text: string, at: number, typed: string): Promise<number[]> {
  const samples: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    let document = openDocument(text);
    for (let count = 1; count <= typed.length; count += 1) {
      const version = text.slice(0, at) + typed.slice(0, count) + text.slice(at);
      samples.push(
        await milliseconds(() => {
          document = openDocument(version, 'yaml', document);
          answer(document, at + count);
        }),
      );
    }
  }
  return samples.slice(WARMUP);
}

/** What the editor's worker does for one keystroke, everything included. */
export async function editorBench(): Promise<readonly Figure[]> {
  const text = documentOf(2000);
  const lines = text.split('\n').length;
  const middle = text.indexOf('\n    agent_90:') + 1;
  const key = text.indexOf('      description', middle);
  const places = [
    ['in a text', text.indexOf('figure.', middle) + 7, ' Then add who said so, and when.'],
    ['a new key', key, '      strategy: {type: react}\n'],
    ['with faults', key, '      guardrails: {input: [{id: "a'],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, at, typed] of places) {
    const samples = await typing(text, at, typed);
    figures.push(
      toFigure(
        'spec',
        {
          name: `keystroke ${name}, every answer, ${lines} lines`,
          unit: 'ms',
          budget: { atMost: 50, of: 'p95' },
        },
        samples,
      ),
    );
  }
  return figures;
}
