import { foldsOf } from '../../../server/spec/language/folding.ts';
import { stepNameOffset } from '../../../server/spec/language/graph-edit.ts';
import { mergeSpecs } from '../../../server/spec/merge/merge-specs.ts';
import { formatOfFile } from '../../../server/spec/yaml/parse-yaml.ts';
import { answerCalls } from '../../data/worker-answers.ts';
import { definitionsAcross, referencesAcross, renameAcross } from './across/across-model.ts';
import { compareTexts } from './compare/compare-model.ts';
import { addOverride, layersOfText } from './compose/layer-lines.ts';
import { connectFaults, graphEditAnswer } from './graph-editing/editing-model.ts';
import { formEditAnswer, inspectPlace } from './inspector/inspector-model.ts';
import { analyseText, locatePath } from './spec-analysis.ts';
import { createDocuments } from './spec-documents.ts';
import {
  completeText,
  definitionOf,
  fixesOnLines,
  formatWhole,
  hoverText,
  outlineOfText,
  referencesOf,
  renameEdits,
  renameTargetOf,
} from './spec-language.ts';
import type { SpecRequests } from './spec-protocol.ts';

const documentOf = createDocuments();

answerCalls<SpecRequests>({
  compare: compareTexts,
  merge: ({ file, choices, ...sides }) =>
    mergeSpecs(sides, { format: formatOfFile(file), choices }),
  analyse: (input) =>
    analyseText(documentOf(input), () => performance.now(), input.registry ?? null),
  locate: (input) => locatePath(documentOf(input), input.path),
  complete: (input) => completeText(documentOf(input), input),
  hover: (input) => hoverText(documentOf(input), input),
  definition: (input) => definitionOf(documentOf(input), input.offset),
  references: (input) => referencesOf(documentOf(input), input.offset),
  rename_target: (input) => renameTargetOf(documentOf(input), input.offset),
  rename: (input) => renameEdits(documentOf(input), input.offset, input.name),
  definition_across: definitionsAcross,
  references_across: referencesAcross,
  rename_across: ({ name, ...at }) => renameAcross(at, name),
  outline: (input) => outlineOfText(documentOf(input)),
  folds: (input) => foldsOf(documentOf(input)),
  fixes: (input) => fixesOnLines(documentOf(input), input.from, input.to),
  format: (input) => formatWhole(documentOf(input)),
  graph_edit: (input) => graphEditAnswer(documentOf(input), input.operation),
  step_name: (input) => stepNameOffset(documentOf(input), input.at) ?? null,
  inspect: (input) => inspectPlace(documentOf(input), input.at),
  form_edit: (input) => formEditAnswer(documentOf(input), input.edit),
  layers: ({ origins, ...whole }) => layersOfText(documentOf(whole), origins),
  add_override: ({ overrides, path, ...whole }) => addOverride(documentOf(whole), overrides, path),
  connect_faults: (input) => connectFaults(documentOf(input), input.from),
});
