import type { GraphModel, NodeKind } from './graph-model.ts';
import {
  type GraphLayout,
  LABEL_LINE,
  labelLines,
  type PlacedNode,
  type Point,
  roundedPath,
} from './layout-model.ts';

const COLOURS: Readonly<Record<NodeKind, string>> = {
  agent: '#4650c4',
  function: '#0d6a6d',
  human: '#8a5300',
  workflow: '#7a35a8',
  guardrail: '#a82c5e',
  step: '#4a515d',
  credential: '#6b5900',
  mark: '#4a515d',
};
const ROUND: ReadonlySet<NodeKind> = new Set(['human', 'step', 'mark']);
const MARGIN = 24;

function escapeText(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c,
  );
}

function nodeSvg(node: GraphModel['nodes'][number], place: PlacedNode): string {
  const colour = COLOURS[node.kind];
  const radius = ROUND.has(node.kind) ? place.height / 2 : node.kind === 'function' ? 2 : 8;
  const y = node.detail === '' ? place.height / 2 + 4 : place.height / 2 - 2;
  const detail =
    node.detail === ''
      ? ''
      : `<text x="16" y="${place.height / 2 + 14}" font-size="11" fill="#616976">${escapeText(node.detail)}</text>`;
  return [
    `<g transform="translate(${place.x} ${place.y})">`,
    `<rect width="${place.width}" height="${place.height}" rx="${radius}" fill="#ffffff" stroke="${colour}" stroke-width="${node.start ? 2.5 : 1.4}"/>`,
    `<text x="16" y="${y}" font-size="13" font-weight="600" fill="#1a1d23">${escapeText(node.label)}</text>`,
    detail,
    node.kind === 'mark'
      ? ''
      : `<text x="${place.width - 12}" y="${y}" font-size="10" text-anchor="end" fill="${colour}">${node.kind}</text>`,
    '</g>',
  ].join('');
}

function labelSvg(label: string, at: Point): string {
  const lines = labelLines(label);
  const spans = lines.map((line, index) => {
    const y = at.y + 4 + (index - (lines.length - 1) / 2) * LABEL_LINE;
    return `<tspan x="${at.x}" y="${y}">${escapeText(line)}</tspan>`;
  });
  return `<text font-size="11" text-anchor="middle" fill="#4a515d" stroke="#ffffff" stroke-width="4" paint-order="stroke">${spans.join('')}</text>`;
}

/** A picture of a laid-out graph that needs nothing but itself. */
export function graphSvg(
  graph: GraphModel,
  layout: GraphLayout,
): { svg: string; width: number; height: number } {
  const places = new Map(layout.nodes.map((node) => [node.id, node]));
  const edges = new Map(layout.edges.map((edge) => [edge.id, edge]));
  const points = layout.edges.flatMap((edge) => edge.points);
  const right = Math.max(0, ...layout.nodes.map((n) => n.x + n.width), ...points.map((p) => p.x));
  const bottom = Math.max(0, ...layout.nodes.map((n) => n.y + n.height), ...points.map((p) => p.y));
  const width = Math.ceil(right + 2 * MARGIN);
  const height = Math.ceil(bottom + 2 * MARGIN);
  const lines = graph.edges.flatMap((edge) => {
    const place = edges.get(edge.id);
    if (place === undefined) {
      return [];
    }
    const dash = edge.conditional ? ' stroke-dasharray="5 4"' : '';
    const path = `<path d="${roundedPath(place.points)}" fill="none" stroke="#616976" stroke-width="1.4" marker-end="url(#arrow)"${dash}/>`;
    return edge.label === null || place.label === null
      ? [path]
      : [path, labelSvg(edge.label, place.label)];
  });
  const nodes = graph.nodes.flatMap((node) => {
    const place = places.get(node.id);
    return place === undefined ? [] : [nodeSvg(node, place)];
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M 0 0 L 10 5 L 0 10 z" fill="#616976"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})">`,
    ...lines,
    ...nodes,
    '</g></svg>',
  ].join('');
  return { svg, width, height };
}
