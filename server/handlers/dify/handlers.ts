import { DIFY_ENTRIES, difyType } from '../../items/dify-types.ts';
import type { Handler } from '../handler.ts';
import { handleAggregator } from './aggregator.ts';
import { handleAssigner } from './assigner.ts';
import { handleCode } from './code.ts';
import { asHandler, type DifyHandler } from './dify-call.ts';
import { handleDocumentExtractor } from './document-extractor.ts';
import { handleAnswer, handleEnd } from './ends.ts';
import { withFailures } from './failures.ts';
import { handleHttpRequest } from './http-request.ts';
import { handleIfElse } from './if-else.ts';
import { handleIteration } from './iteration.ts';
import { handleListOperator } from './list-operator.ts';
import { handleLoop } from './loop.ts';
import { handleMark } from './rounds.ts';
import { handleStart, handleTrigger } from './start.ts';
import { handleTemplate } from './template.ts';
import { handleTool } from './tools.ts';

const BY_NODE: Readonly<Record<string, DifyHandler>> = {
  ...Object.fromEntries(DIFY_ENTRIES.map((type) => [type, handleTrigger])),
  start: handleStart,
  answer: handleAnswer,
  assigner: handleAssigner,
  code: withFailures(handleCode),
  'document-extractor': withFailures(handleDocumentExtractor),
  end: handleEnd,
  'http-request': withFailures(handleHttpRequest),
  'if-else': handleIfElse,
  iteration: withFailures(handleIteration, 2),
  'iteration-start': handleMark,
  'list-operator': withFailures(handleListOperator),
  loop: withFailures(handleLoop, 2),
  'loop-end': handleMark,
  'loop-start': handleMark,
  'template-transform': withFailures(handleTemplate),
  tool: withFailures(handleTool),
  'variable-aggregator': handleAggregator,
  'variable-assigner': handleAggregator,
};

/** The handlers of Dify's nodes by their type in the draft. */
export const DIFY_HANDLERS: Readonly<Record<string, Handler>> = Object.fromEntries(
  Object.entries(BY_NODE).map(([type, handle]) => [difyType(type), asHandler(handle)]),
);
