import type { Field, Loss } from '../../graph-ir.ts';
import type { DifyNode } from '../document.ts';
import type { DifyScene } from '../scene.ts';

const VARIABLE = /\{\{#([^{}]*)#\}\}/g;

/** One text of a prompt; `input` marks what is given anew for each run. */
export interface PromptPart {
  readonly field: Field<string>;
  readonly input?: boolean;
}

export interface BuiltPrompt {
  readonly prompt: Field<string>;
  readonly losses: readonly Loss[];
}

/** True for a reference to what the step is given anyway: the question, or the step before it. */
function isInput(reference: string, node: DifyNode, scene: DifyScene): boolean {
  if (reference === 'sys.query') return true;
  const [source] = reference.split('.');
  return scene.doc.edges.some((edge) => edge.target === node.id && edge.source === source);
}

interface Parts {
  readonly texts: string[];
  readonly passed: Set<string>;
  readonly computed: Set<string>;
  readonly inputs: Set<string>;
  unmapped: Field<string> | undefined;
}

function addPart(parts: Parts, part: PromptPart, node: DifyNode, scene: DifyScene): void {
  const { field } = part;
  if (field.state === 'resolved') parts.texts.push(field.value);
  if (field.state !== 'unresolved') return;
  if (field.cause !== 'expression') {
    parts.unmapped = field;
    return;
  }
  const jinja = !/\{\{#[^{}]*#\}\}/.test(field.display);
  if (jinja) parts.computed.add(field.display);
  const text = field.display.replace(VARIABLE, (whole: string, reference: string) => {
    const passes = isInput(reference, node, scene);
    if (passes) parts.passed.add(whole);
    else (part.input === true ? parts.inputs : parts.computed).add(whole);
    return passes ? '' : `[${reference}]`;
  });
  const bare = field.display.replace(VARIABLE, '').trim() === '';
  if (text.trim() !== '' && !(bare && part.input === true)) parts.texts.push(text);
}

function lossesOf(node: DifyNode, parts: Parts): Loss[] {
  const { ref, title } = node;
  const said = (set: ReadonlySet<string>): string => [...set].join(', ');
  const out: Loss[] = [];
  if (parts.computed.size > 0) {
    const detail = `The prompt of "${title}" takes values of the source (${said(parts.computed)}); the draft has a marker in their place.`;
    out.push({ ref, kind: 'expression', detail, about: 'prompt' });
  }
  if (parts.inputs.size > 0) {
    const detail = `The source gives "${title}" ${said(parts.inputs)} per run.`;
    out.push({ ref, kind: 'run_input', detail, about: 'prompt' });
  }
  if (parts.passed.size > 0) {
    const detail = `The prompt of "${title}" embeds its input (${said(parts.passed)}); the draft gives the whole input to the step instead.`;
    const todo = 'Check that the prompt reads well with the input after it.';
    const loss = { ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    out.push({ ...loss, about: 'prompt' });
  }
  return out;
}

/** Joins the texts of a prompt; what only passes the input on is left out (importers 14). */
export function buildPrompt(
  node: DifyNode,
  scene: DifyScene,
  list: readonly PromptPart[],
): BuiltPrompt {
  const parts: Parts = {
    texts: [],
    passed: new Set(),
    computed: new Set(),
    inputs: new Set(),
    unmapped: undefined,
  };
  for (const part of list) addPart(parts, part, node, scene);
  const losses = lossesOf(node, parts);
  if (parts.texts.length === 0) return { prompt: parts.unmapped ?? { state: 'absent' }, losses };
  const value = parts.texts.join('\n\n');
  return { prompt: { state: 'resolved', value, provenance: 'authored' }, losses };
}
