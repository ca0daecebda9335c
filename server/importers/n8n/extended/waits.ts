import type { JsonObject } from '../../../kernel/json.ts';
import type { Definition, Loss, NodePayload } from '../../graph-ir.ts';
import { textOf, type Value } from '../../value.ts';
import type { N8nNode } from '../document.ts';
import { describe, readText } from '../expressions.ts';
import type { NodeReader } from '../scene.ts';
import { carried, functionDefinition } from './steps.ts';

const SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

/** What a pause waits for. */
type Pause =
  | { readonly until: 'time'; readonly seconds: number }
  /** A time that only the source can tell. */
  | { readonly until: 'computed'; readonly display: string }
  /** A call or a form; at most so many seconds, or as long as the source computes. */
  | { readonly until: 'call' | 'form'; readonly limit: number | string | undefined };

/** A number as the source reads it: itself, or a text that spells one. */
function numberIn(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const text = textOf(value)?.trim() ?? '';
  const reading = readText(text);
  const number = Number(reading.text);
  return reading.computed || reading.text.trim() === '' || Number.isNaN(number)
    ? undefined
    : number;
}

function shown(value: Value | undefined): string {
  return typeof value === 'string' ? readText(value).text : describe(value ?? null);
}

/** Seconds of an amount and its unit; a text when the source computes one of them. */
export function spanOf(
  amount: Value | undefined,
  unit: Value | undefined,
  byDefault: readonly [number, string],
): number | string {
  const count = numberIn(amount ?? byDefault[0]);
  const factor = SECONDS[textOf(unit ?? byDefault[1]) ?? ''];
  if (count !== undefined && factor !== undefined) return Math.max(1, Math.round(count * factor));
  return `${shown(amount ?? byDefault[0])} ${shown(unit ?? byDefault[1])}`;
}

function limitOf({ parameters }: N8nNode): number | string | undefined {
  if (parameters.get('limitWaitTime') !== true) return undefined;
  if (parameters.get('limitType') === 'atSpecifiedTime') {
    return shown(parameters.get('maxDateAndTime'));
  }
  return spanOf(parameters.get('resumeAmount'), parameters.get('resumeUnit'), [1, 'hours']);
}

/** What a wait element waits for. Before version 1.1 an amount that is not written is an hour. */
function pauseOf(node: N8nNode): Pause {
  const { parameters } = node;
  const resume = parameters.get('resume') ?? 'timeInterval';
  if (resume === 'webhook') return { until: 'call', limit: limitOf(node) };
  if (resume === 'form') return { until: 'form', limit: limitOf(node) };
  if (resume === 'specificTime') {
    return { until: 'computed', display: shown(parameters.get('dateTime')) };
  }
  if (resume !== 'timeInterval') return { until: 'computed', display: shown(resume) };
  const byDefault = node.version >= 1.1 ? ([5, 'seconds'] as const) : ([1, 'hours'] as const);
  const span = spanOf(parameters.get('amount'), parameters.get('unit'), byDefault);
  return typeof span === 'number'
    ? { until: 'time', seconds: span }
    : { until: 'computed', display: span };
}

function humanDefinition(node: N8nNode, seconds: number | string | undefined): Definition {
  return (_name, protector) => {
    const human: JsonObject = { description: protector.scrub(node.name) };
    if (typeof seconds === 'number') {
      human['timeout_seconds'] = seconds;
      human['on_timeout'] = 'continue';
    }
    return { ...human, request_type: 'approval' };
  };
}

function timeLoss(node: N8nNode, seconds: number, step: 'human' | 'function'): Loss {
  if (step === 'function') {
    const detail = `"${node.name}" pauses the run ${seconds} s beside other steps, where no step of the draft can wait; a function step holds its place.`;
    const todo = 'Name a function that waits, or take the step out.';
    return { ref: node.ref, kind: 'proprietary_node', detail, todo };
  }
  const detail = `"${node.name}" pauses the run; in the draft a human step waits ${seconds} s, then it goes on.`;
  return carried(node, 'manual', detail, 'Take the step out if nothing has to wait.');
}

function computedLoss(node: N8nNode, display: string): Loss {
  const detail = `"${node.name}" pauses the run for a time that only the source can tell (${display}); a function step holds its place and its settings.`;
  const todo =
    'Name a function that waits for this time, or put a human step with a time in its place.';
  return { ref: node.ref, kind: 'proprietary_node', detail, todo };
}

function callLoss(node: N8nNode, { until, limit }: Extract<Pause, { limit: unknown }>): Loss {
  const what = until === 'form' ? 'until its form is sent' : 'until its address is called';
  const most = typeof limit === 'number' ? `${limit} s` : limit;
  const source = most === undefined ? '' : `, at most ${most}`;
  const draft =
    typeof limit === 'number' ? 'it is released, or that time is over' : 'it is released';
  const detail = `"${node.name}" pauses the run ${what}${source}; in the draft a human step waits until ${draft}.`;
  const todo =
    until === 'form'
      ? 'Say who is asked, and for what.'
      : 'Let what called the address release the step instead.';
  return carried(node, 'manual', detail, todo);
}

/** A pause: a human step that goes on by itself when the time is over, or a function that waits. */
export const WAIT: NodeReader = {
  losses: (node) => {
    const pause = pauseOf(node);
    if (pause.until === 'time') return [];
    return [pause.until === 'computed' ? computedLoss(node, pause.display) : callLoss(node, pause)];
  },
  payload: (node): NodePayload => {
    const pause = pauseOf(node);
    const component = { kind: 'component' } as const;
    if (pause.until === 'computed') {
      return { ...component, step: 'function', definition: functionDefinition(node) };
    }
    if (pause.until !== 'time') {
      return { ...component, step: 'human', definition: humanDefinition(node, pause.limit) };
    }
    const { seconds } = pause;
    const loss = (step: 'human' | 'function'): Loss => timeLoss(node, seconds, step);
    const timer = { definition: functionDefinition(node), loss };
    return { ...component, step: 'human', definition: humanDefinition(node, seconds), timer };
  },
  closedOutputs: true,
};
