import type { Canvas, Conversion, Origin } from './analysis.ts';
import { convertCrew, withReviews } from './crewai/convert.ts';
import { readCrew } from './crewai/load.ts';
import { crewOutline } from './crewai/outline.ts';
import { canvasOf as difyCanvasOf } from './dify/canvas.ts';
import { convertDify } from './dify/convert.ts';
import { EXTENDED_PROFILE as DIFY_EXTENDED } from './dify/extended/profile.ts';
import { difyOutline } from './dify/ledger/outline.ts';
import type { DifyProfile } from './dify/scene.ts';
import { STRICT_PROFILE as DIFY_STRICT } from './dify/strict-profile.ts';
import { canvasOf as elementsCanvasOf } from './elements/canvas.ts';
import { convertFlowise } from './flowise/convert.ts';
import { flowiseOutline } from './flowise/outline.ts';
import type { Graph } from './graph-ir.ts';
import { accountFor } from './ledger/account.ts';
import type { Outline } from './ledger/outline.ts';
import { strictAccountFor } from './ledger/strict-account.ts';
import { lowerItems } from './lowering/items/lower-items.ts';
import { type Lowered, lower } from './lowering/lower.ts';
import { lowerPrograms } from './lowering/programs/lower-programs.ts';
import { canvasOf } from './n8n/canvas.ts';
import { convertN8n } from './n8n/convert.ts';
import { EXTENDED_PROFILE } from './n8n/extended/profile.ts';
import { n8nOutline } from './n8n/ledger/outline.ts';
import { pinnedOf } from './n8n/pinned.ts';
import type { N8nProfile } from './n8n/scene.ts';
import { STRICT_PROFILE } from './n8n/strict-profile.ts';
import { readJson } from './read-json.ts';
import { readYaml } from './read-yaml.ts';
import type { Protector } from './secrets.ts';
import { at, textOf, type Value } from './value.ts';

/** What an adapter gives: the neutral graph and the source's own drawing. */
export interface Adapted {
  readonly graph: Graph;
  /** The drawing; step ids are filled in after lowering. */
  readonly canvas: (stepOf: (sourceId: string) => string | null) => Canvas;
  readonly origin: Origin;
  /** What the ledger is made from. */
  readonly outline: Outline;
}

/** Reads the text of one source; throws `SourceRefused`. */
export type Adapter = (raw: string) => Adapted;

/** How a source is read in one conversion, and how its graph becomes a draft. */
export interface Conversions {
  readonly adapt: Adapter;
  readonly lower: (graph: Graph, protector: Protector) => Lowered;
  readonly account: typeof accountFor;
}

function named(root: Value, id: string, ...name: string[]): Origin {
  return { id: textOf(at(root, id)) ?? null, name: textOf(at(root, ...name)) ?? null };
}

function n8n(profile: N8nProfile): Adapter {
  return (raw) => {
    const root = readJson(raw);
    const { graph, scene } = convertN8n(root, profile);
    const origin = named(root, 'id', 'name');
    const pinned = pinnedOf(root, scene.doc);
    const canvas: Adapted['canvas'] = (stepOf) => ({ ...canvasOf(scene.doc, stepOf), pinned });
    return { graph, origin, canvas, outline: n8nOutline(root, scene) };
  };
}

function dify(profile: DifyProfile): Adapter {
  return (raw) => {
    const root = readYaml(raw);
    const { graph, doc } = convertDify(root, profile);
    const origin = named(root, 'id', 'app', 'name');
    const canvas: Adapted['canvas'] = (stepOf) => difyCanvasOf(doc, stepOf);
    return { graph, origin, canvas, outline: difyOutline(root, doc, graph.items) };
  };
}

const crewai: Adapter = (raw) => {
  const root = readCrew(raw);
  const { graph, doc } = convertCrew(root);
  const drawn = withReviews(doc);
  return {
    graph,
    origin: named(root, 'id', 'crew', 'name'),
    canvas: (stepOf) => elementsCanvasOf(drawn, stepOf),
    outline: crewOutline(root, doc),
  };
};

const flowise: Adapter = (raw) => {
  const root = readJson(raw);
  const { graph, doc } = convertFlowise(root);
  return {
    graph,
    origin: named(root, 'id', 'name'),
    canvas: (stepOf) => elementsCanvasOf(doc, stepOf),
    outline: flowiseOutline(root, doc),
  };
};

/** A flow of items has a draft of its own form. */
const lowerItemsOrPrograms: Conversions['lower'] = (graph, protector) =>
  graph.items === undefined
    ? lowerPrograms(graph, protector)
    : lowerItems(graph, graph.items, protector);

/** Source id × conversion → reading and lowering. A source without a row has no parser yet. */
const ADAPTERS: ReadonlyMap<string, Readonly<Partial<Record<Conversion, Conversions>>>> = new Map<
  string,
  Readonly<Partial<Record<Conversion, Conversions>>>
>([
  [
    'n8n',
    {
      strict: { adapt: n8n(STRICT_PROFILE), lower, account: strictAccountFor },
      extended: { adapt: n8n(EXTENDED_PROFILE), lower: lowerItemsOrPrograms, account: accountFor },
    },
  ],
  [
    'dify',
    {
      strict: { adapt: dify(DIFY_STRICT), lower, account: strictAccountFor },
      extended: { adapt: dify(DIFY_EXTENDED), lower: lowerItemsOrPrograms, account: accountFor },
    },
  ],
  ['crewai', { extended: { adapt: crewai, lower: lowerPrograms, account: accountFor } }],
  ['flowise', { extended: { adapt: flowise, lower: lowerPrograms, account: accountFor } }],
]);

/** How a source is converted, if there is a way. */
export function findConversion(source: string, conversion: Conversion): Conversions | undefined {
  return ADAPTERS.get(source)?.[conversion];
}
