/** Why a gap blocks, in the words of someone who plans the work; in the order in which to do it. */
export const GAP_CAUSES = [
  'credential',
  'source_fault',
  'flow_shape',
  'expression',
  'external_service',
  'code',
  'proprietary_action',
  'other',
] as const;

export type GapCause = (typeof GAP_CAUSES)[number];

interface CauseText {
  readonly title: string;
  /** What to do about all of them, in one sentence. */
  readonly advice: string;
  /** The one thing to do about `count` of them. */
  todo(count: number): string;
}

function some(count: number, one: string, more: string): string {
  return count === 1 ? `one ${one}` : `${count} ${more}`;
}

export const CAUSE_TEXTS: Readonly<Record<GapCause, CauseText>> = {
  credential: {
    title: 'Needs a credential',
    advice: 'Store each on the platform and refer to it; replace it where the file was published.',
    todo: (count) =>
      `Store ${some(count, 'credential', 'credentials')} that stood in the file as plain text`,
  },
  source_fault: {
    title: 'Broken in the source',
    advice: 'Mend it in the source and import again, or draw what is missing in the editor.',
    todo: (count) => `Mend ${some(count, 'place', 'places')} that fail in the source itself`,
  },
  flow_shape: {
    title: 'Flow shape',
    advice: 'Redraw these places in the editor, or set their limit.',
    todo: (count) => `Redraw or limit ${some(count, 'place', 'places')} of the flow`,
  },
  expression: {
    title: 'Unresolved expression',
    advice: 'Write the condition or the text by hand.',
    todo: (count) => `Write ${some(count, 'condition or text', 'conditions or texts')} by hand`,
  },
  external_service: {
    title: 'External service',
    advice: 'Name the function or the server that reaches the service.',
    todo: (count) => `Connect ${some(count, 'outside service', 'outside services')}`,
  },
  code: {
    title: 'Code',
    advice: 'Bring the code over as a function of your project.',
    todo: (count) => `Bring the code of ${some(count, 'step', 'steps')} over`,
  },
  proprietary_action: {
    title: 'Action of the source tool',
    advice: 'Name the function that does it.',
    todo: (count) => `Name a function for ${some(count, 'action', 'actions')} of the source tool`,
  },
  other: {
    title: 'Other',
    advice: 'Open the gap and follow its advice.',
    todo: (count) => `Resolve ${some(count, 'blocking gap', 'blocking gaps')}`,
  },
};

const BY_KIND: ReadonlyMap<string, GapCause> = new Map([
  ['inline_secret', 'credential'],
  ['external_service', 'external_service'],
  ['subworkflow', 'external_service'],
  ['expression', 'expression'],
  ['source_cannot_run', 'source_fault'],
  ['branching_shape', 'flow_shape'],
  ['unbounded_loop', 'flow_shape'],
  ['unreachable_from_entry', 'flow_shape'],
  ['divergent_entry', 'flow_shape'],
  ['error_route_not_carried', 'flow_shape'],
  ['containment_not_carried', 'flow_shape'],
  ['no_entry', 'flow_shape'],
]);

/** Kinds that say "an element of the source's own"; its type says which cause that is. */
const BY_TYPE: ReadonlySet<string> = new Set([
  'proprietary_node',
  'tool_without_backing',
  'deterministic_tool',
  'offered_tool_not_bound',
]);

const CODE = /(?:^|\.)(?:code|function|functionItem|executeCommand|toolCode|template-transform)$/;
const SERVICE =
  /(?:httpRequest|httpRequestTool|toolHttpRequest|http-request|graphql|mcpClientTool|toolMcp)$|vectorStore|embeddings|retriever/;

/**
 * The cause of a blocking gap. `type` is the source's type name of the element it stands at, where
 * known: what calls a web service or a store of knowledge needs that service; code needs to be
 * brought over; anything else of the source's own is an action of that tool.
 */
export function causeOf(kind: string, type: string | undefined): GapCause {
  if (!BY_TYPE.has(kind)) return BY_KIND.get(kind) ?? 'other';
  if (type !== undefined && CODE.test(type)) return 'code';
  return type !== undefined && SERVICE.test(type) ? 'external_service' : 'proprietary_action';
}
