import { builtInName } from '../../../contract/flow.ts';
import { difyType } from '../../../items/dify-types.ts';
import type { Graph, ItemStep, ItemWire, Loss, Node } from '../../graph-ir.ts';
import { carriedData } from '../../kept-data.ts';
import type { ValueMap } from '../../value.ts';
import { convertConfigApp } from '../config-app.ts';
import type { DifyDocument } from '../document.ts';
import { asPrompt } from './prompts.ts';

// An app without a graph whose prompt has fields of its form: a start with the form, and the one
// call or agent whose texts are filled when it runs.

const START = 'app';
const CALL = 'model_config';
const VARIABLE = /\{\{(#?)([A-Za-z_]\w{0,29})#?\}\}/g;

/** A prompt with its variables in the words of the texts of a flow. */
function inFlow(text: string): string {
  return text.replace(VARIABLE, (_, mark: string, name: string) => {
    if (name === 'query') return '{{#sys.query#}}';
    return mark === '#' ? '' : `{{#${START}.${name}#}}`;
  });
}

/** The prompt as the file has it, when it takes more than the question. */
function computedPrompt(doc: DifyDocument): string | undefined {
  const [node] = convertConfigApp(doc, []).nodes ?? [];
  const payload = node?.payload;
  if (payload?.kind !== 'agent' && payload?.kind !== 'model_call') return undefined;
  const { prompt } = payload;
  if (prompt.state !== 'unresolved' || prompt.cause !== 'expression') return undefined;
  const names = [...prompt.display.matchAll(VARIABLE)];
  return names.some(([, mark]) => mark === '') ? prompt.display : undefined;
}

function startStep(doc: DifyDocument, node: Node): ItemStep {
  const implementation = builtInName(difyType('start'));
  const form: ValueMap = new Map([['user_input_form', doc.config.get('user_input_form') ?? []]]);
  return {
    node: {
      id: START,
      name: 'Start',
      ref: { ...node.ref, source_id: START },
      payload: { kind: 'component', step: 'function', definition: () => ({ implementation }) },
      outputs: node.outputs,
    },
    isEntry: true,
    settings: (protector) => ({
      id: START,
      name: 'Start',
      type: difyType('start'),
      version: 1,
      parameters: carriedData(form, protector),
    }),
  };
}

/** What was told of the prompt, which a flow fills in. */
function isSettled({ kind, about }: Loss): boolean {
  return about === 'prompt' || kind === 'run_input';
}

function formLoss(doc: DifyDocument, node: Node): Loss {
  const detail = `"${doc.name}" puts fields of its form into its prompt; a run takes them as fields of its input.`;
  return { ref: node.ref, kind: 'carried_as', severity: 'info', detail, todo: 'Nothing to do.' };
}

/** The graph of an app without one, as a flow of items where its prompt has fields of its form. */
export function withFormFlow(doc: DifyDocument, graph: Graph): Graph {
  const [node] = graph.nodes;
  const display = computedPrompt(doc);
  if (node === undefined || display === undefined) return graph;
  const { payload } = node;
  if (payload.kind !== 'agent' && payload.kind !== 'model_call') return graph;
  const text = inFlow(display).trim();
  const isChat = doc.mode !== 'completion';
  const absent = { state: 'absent' } as const;
  const asked: Node = {
    ...node,
    payload: { ...payload, prompt: isChat ? asPrompt(text) : absent, runInput: absent },
  };
  const type = difyType(payload.kind === 'agent' ? 'agent' : 'llm');
  const step: ItemStep = {
    node: asked,
    isEntry: false,
    settings: (protector) => ({
      id: CALL,
      name: protector.scrub(doc.name),
      type,
      version: 1,
      prompt: isChat ? '{{#sys.query#}}' : protector.scrub(text),
    }),
  };
  const wires: ItemWire[] = [{ source: START, output: 0, target: CALL, input: 0, label: null }];
  return {
    ...graph,
    nodes: [asked],
    losses: [...graph.losses.filter((loss) => !isSettled(loss)), formLoss(doc, node)],
    items: {
      head: (protector) => ({
        source: 'dify',
        order: 'dify',
        name: protector.scrub(doc.name),
        mode: isChat ? 'advanced-chat' : 'workflow',
      }),
      steps: [startStep(doc, node), step],
      wires,
    },
  };
}
