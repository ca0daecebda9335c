import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasView } from '../../../../server/contract/studio/analyses.ts';
import { markText, nodeMarks } from './canvas-marks.ts';
import { drawCanvas, NODE_HEIGHT, NODE_WIDTH, nodeTowards, typeText } from './canvas-model.ts';

const canvasOf = (places: readonly ({ x: number; y: number } | null)[]): CanvasView => ({
  nodes: places.map((position, index) => ({
    source_id: `s${index}`,
    label: `Node ${index}`,
    type: 'n8n-nodes-base.httpRequest',
    locator: `$.nodes[${index}]`,
    position,
    disabled: false,
    spec_ref: null,
  })),
  edges: [],
});

describe('the source drawn from its own positions', () => {
  it('keeps the shape and gives nodes room', () => {
    const drawn = drawCanvas(
      canvasOf([
        { x: 0, y: 0 },
        { x: 120, y: 0 },
        { x: 120, y: 200 },
      ]),
    );
    expect(drawn.map(({ x }) => x)).toEqual([0, NODE_WIDTH + 20, NODE_WIDTH + 20]);
    expect(drawn[2]?.y).toBe(200);
  });

  it('puts nodes without a position below the others', () => {
    const drawn = drawCanvas(canvasOf([{ x: 10, y: 50 }, null, null]));
    expect(drawn[1]?.y).toBeGreaterThan(50 + NODE_HEIGHT);
    expect(drawn[2]?.x).toBeGreaterThan((drawn[1]?.x ?? 0) + NODE_WIDTH);
    expect(drawCanvas(canvasOf([]))).toEqual([]);
  });

  it('keeps left of and above as they are, for any positions', () => {
    const place = fc.record({
      x: fc.integer({ min: -5000, max: 5000 }),
      y: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(place, { minLength: 2, maxLength: 30 }), (places) => {
        const drawn = drawCanvas(canvasOf(places));
        const order = (key: 'x' | 'y') =>
          drawn.every((a, i) =>
            drawn.every((b, j) => {
              const before = (places[i]?.[key] ?? 0) - (places[j]?.[key] ?? 0);
              return Math.sign(before) === Math.sign(a[key] - b[key]);
            }),
          );
        expect(order('x') && order('y')).toBe(true);
      }),
    );
  });

  it('draws 1,000 nodes in a few milliseconds', () => {
    const places = Array.from({ length: 1000 }, (_, i) => ({
      x: (i % 40) * 200,
      y: Math.floor(i / 40) * 150,
    }));
    const began = performance.now();
    expect(drawCanvas(canvasOf(places))).toHaveLength(1000);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('goes from node to node by direction', () => {
    const drawn = drawCanvas(
      canvasOf([
        { x: 0, y: 0 },
        { x: 300, y: 0 },
        { x: 300, y: 300 },
        { x: 600, y: 20 },
      ]),
    );
    expect(nodeTowards(drawn, 's0', 'right')).toBe('s1');
    expect(nodeTowards(drawn, 's1', 'down')).toBe('s2');
    expect(nodeTowards(drawn, 's2', 'up')).toBe('s1');
    expect(nodeTowards(drawn, 's1', 'left')).toBe('s0');
    expect(nodeTowards(drawn, 's0', 'left')).toBeUndefined();
    expect(nodeTowards(drawn, 'nobody', 'left')).toBeUndefined();
  });

  it('names types in words', () => {
    expect(typeText('@n8n/n8n-nodes-langchain.lmChatOpenAi')).toBe('lm chat open ai');
    expect(typeText('question-classifier')).toBe('question classifier');
  });
});

describe('marks', () => {
  const card = (
    id: string,
    severity: 'blocking' | 'manual' | 'info',
    standing: 'open' | 'attested' | 'acknowledged' | 'not_needed',
  ) => ({
    gap: {
      ref: { analysis_id: 'a', gap_id: `${id}${severity}${standing}` },
      kind: 'k',
      severity,
      source_ref: { source_id: id, source_label: id, locator: null },
      spec_ref: null,
      title: 't',
      detail: 'd',
    },
    standing,
    by: null,
    at: null,
  });

  it('are the worst of what is open', () => {
    const marks = nodeMarks([
      card('a', 'blocking', 'open'),
      card('a', 'manual', 'open'),
      card('b', 'blocking', 'attested'),
      card('b', 'manual', 'open'),
      card('c', 'info', 'not_needed'),
      card('d', 'blocking', 'attested'),
      card('d', 'info', 'not_needed'),
    ]);
    expect([...marks].map(([id, mark]) => `${id} ${markText(mark)}`)).toEqual([
      'a 1 blocking gap',
      'b 1 gap to review',
      'c 1 gap for information',
      'd all gaps settled',
    ]);
    expect(markText(undefined)).toBe('no gaps');
  });
});
