import type { GraphOperation } from '../../edit/graph/operation.ts';
import { applyEdits } from '../../edit/text-edit.ts';
import { formatOfFile } from '../../yaml/parse-yaml.ts';
import { graphEdit } from '../graph-edit.ts';
import { openDocument } from '../open-document.ts';

/** A graph with comments, both styles, a fallback and a label. */
export const GRAPH = `version: v1
agent: {name: desk} # leads
workflow:
  type: graph
  # where it begins
  start: sort
  nodes:
    # reads the mail
    sort: {id: sort, kind: agent, ref: writer} # first
    check:
      id: check # by hand
      kind: agent
      ref: writer
      on_error: fallback
      fallback_ref: tidy

    tidy: {id: tidy, kind: function, ref: tidy}
  edges:
    - {from: sort, to: check, condition: {type: output_contains, value: refund}, label: money}
    - {from: sort, to: tidy} # else
    - from: check
      to: tidy
components:
  agents:
    writer: {name: writer}
  functions:
    tidy: {implementation: texts.tidy}
  humans:
    lead: {description: Good?}
`;

/** A list with shorthand, comments and both styles. */
export const LIST = `version: v1
agent: {name: desk}
workflow:
  type: sequential
  steps:
    - writer # short
    # checks it
    - id: check
      kind: agent
      ref: writer
      # inside
      max_retries: 2
    - {id: tidy, kind: function, ref: tidy}
components:
  agents:
    writer: {name: writer}
  functions:
    tidy: {implementation: texts.tidy}
`;

/** A text after an operation, with what is told; or why it was refused. */
export function made(text: string, operation: GraphOperation, file = 'a.yaml') {
  const outcome = graphEdit(openDocument(text, formatOfFile(file)), operation);
  return 'problem' in outcome
    ? outcome
    : { text: applyEdits(text, outcome.edits), notes: outcome.notes, select: outcome.select };
}

/** The address of a step. */
export function step(at: string | number, workflow: string | null = null) {
  return { workflow, step: at };
}
