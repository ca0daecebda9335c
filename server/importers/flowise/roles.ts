import { secretsInText } from '../../kernel/secrets-in-text.ts';
import type { Element, ElementDocument, ElementReader, ReadElement } from '../elements/document.ts';
import { carried, functionPayload, numberIn } from '../elements/parts.ts';
import type { Loss, Output } from '../graph-ir.ts';
import { at, listOf, textOf } from '../value.ts';
import { readAgent, readClassifier, stateLosses } from './agents.ts';
import { readCondition } from './conditions.ts';
import { loopTarget } from './loops.ts';
import { plainText } from './texts.ts';

const REJECTED = 'Rejected by human reviewer';

function readStart(element: Element): ReadElement {
  const { settings, ref, title } = element;
  const losses: Loss[] = [...stateLosses(element, 'startState')];
  if (settings.get('startInputType') === 'formInput') {
    const names = listOf(settings.get('formInputTypes'))
      .map((field) => textOf(at(field, 'name')) ?? textOf(at(field, 'label')) ?? '?')
      .join(', ');
    const detail = `"${title}" asks the caller for a form (${names}).`;
    losses.push({ ref, kind: 'run_input', detail });
  }
  return { role: 'entry', mechanism: 'webhook', losses };
}

/** A step whose work the draft does not have: a function holds its place and its settings. */
function placeholder(kind: string): ElementReader {
  return (element) => {
    const { ref, title, type } = element;
    const detail = `"${title}" is a step of its own kind (${type}); a function step holds its place and its settings.`;
    const todo = 'Name the function that does this job.';
    return {
      role: 'node',
      payload: functionPayload(element),
      losses: [{ ref, kind, detail, todo }, ...updateLosses(element)],
    };
  };
}

/** What a step writes for later ones, under the name that its kind has for it. */
function updateLosses(element: Element): Loss[] {
  const keys = [...element.settings.keys()].filter((key) => /UpdateState$/.test(key));
  return keys.flatMap((key) => stateLosses(element, key));
}

function readHuman(element: Element, doc: ElementDocument): ReadElement {
  const { settings, title } = element;
  const isFixed = settings.get('humanInputDescriptionType') !== 'dynamic';
  const asked = isFixed ? plainText(textOf(settings.get('humanInputDescription')) ?? '') : '';
  const rejected = { type: 'output_contains', value: REJECTED, case_sensitive: true } as const;
  const isRouted = doc.wires.some(({ source, output }) => source === element.id && output === 1);
  const outputs: Output[] = [
    { position: 0, role: 'case', condition: { type: 'not', condition: rejected } },
    { position: 1, role: 'case', condition: rejected },
  ];
  const who = isFixed
    ? ''
    : ' A model words the question in the source; the draft asks by the name of the step.';
  const detail = `"${title}" waits until a person proceeds or rejects; in the draft a human step does, and the edges look for the rejection.${who}`;
  return {
    role: 'node',
    payload: {
      kind: 'component',
      step: 'human',
      definition: (_name, protector) => ({
        description: protector.scrub(asked === '' ? title : asked),
        request_type: 'approval',
      }),
    },
    ...(isRouted ? { outputs } : {}),
    losses: [carried(element, 'manual', detail, 'Say who is asked and how they are told.')],
  };
}

function readLoop(element: Element, doc: ElementDocument): ReadElement {
  const { settings, ref, title } = element;
  const target = loopTarget(element, doc);
  if (target === undefined) {
    const detail = `"${title}" leads back to an element that is not in the file.`;
    return {
      role: 'node',
      payload: { kind: 'passthrough' },
      losses: [{ ref, kind: 'source_cannot_run', detail }],
    };
  }
  const count = numberIn(settings.get('maxLoopCount')) ?? 0;
  const back = doc.elements.find(({ id }) => id === target)?.title ?? target;
  const limit = count >= 1 ? ` at most ${count} times` : '';
  const detail = `"${title}" leads back to "${back}"${limit}; the draft has it as an edge.`;
  const cap = count >= 1 ? { cap: (Math.ceil(count) + 1) * doc.elements.length } : {};
  return {
    role: 'node',
    payload: { kind: 'passthrough', ...cap },
    losses: [carried(element, 'info', detail)],
  };
}

function readReply({ ref, title, settings }: Element): ReadElement {
  const said = plainText(textOf(settings.get('directReplyMessage')) ?? '');
  const isPlain = /^\{\{[^{}]{1,220}\}\}$/.test(said);
  const detail = isPlain
    ? `"${title}" answers with one value; the draft answers with the last text of the run.`
    : `"${title}" answers with a text of its own; the draft answers with the last text of the run.`;
  return { role: 'waypoint', losses: [{ ref, kind: 'output_formatting_not_carried', detail }] };
}

function readIteration(element: Element): ReadElement {
  const { ref, title } = element;
  const detail = `The source runs the content of "${title}" once for each item of a list; the draft holds it as a component workflow and runs it once.`;
  const todo =
    'Draw the way back with its condition and a limit (max_steps), or split the work before.';
  return {
    role: 'node',
    payload: { kind: 'container', construct: element.type, members: [] },
    losses: [{ ref, kind: 'containment_not_carried', detail, todo }],
    isContainer: true,
  };
}

function readFlowCall(element: Element): ReadElement {
  const { ref, title, settings } = element;
  const written = textOf(settings.get('executeFlowSelectedFlow')) ?? '';
  const called = secretsInText(written).length === 0 ? written : '';
  const detail = `"${title}" runs another flow (${called === '' ? 'not named' : called}); an empty component workflow stands for it.`;
  return {
    role: 'node',
    payload: {
      kind: 'component',
      step: 'workflow',
      calls: called === '' ? [] : [called],
      definition: (_name, protector) => ({
        type: 'sequential',
        description: protector.scrub(title),
        steps: [],
      }),
    },
    losses: [{ ref, kind: 'subworkflow', detail }, ...updateLosses(element)],
  };
}

function readNote({ ref }: Element): ReadElement {
  const detail = 'A note on the canvas; it has no effect on a run.';
  return { role: 'none', losses: [{ ref, kind: 'annotation', detail }] };
}

/** Type of an element → how it is read (importers 16). */
const READERS: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ['startAgentflow', readStart],
  ['agentAgentflow', (element, doc) => readAgent(element, doc, 'agent')],
  ['llmAgentflow', (element, doc) => readAgent(element, doc, 'llm')],
  ['conditionAgentflow', readCondition],
  ['conditionAgentAgentflow', readClassifier],
  ['humanInputAgentflow', readHuman],
  ['loopAgentflow', readLoop],
  ['iterationAgentflow', readIteration],
  ['executeFlowAgentflow', readFlowCall],
  ['directReplyAgentflow', readReply],
  ['stickyNoteAgentflow', readNote],
  ['toolAgentflow', placeholder('deterministic_tool')],
  ['retrieverAgentflow', placeholder('external_service')],
]);

const OTHER = placeholder('proprietary_node');

/** Reads one element; a kind without a row is a function step that keeps its place. */
export const readElement: ElementReader = (element, doc) =>
  (READERS.get(element.type) ?? OTHER)(element, doc);
