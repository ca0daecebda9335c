import type { GapSeverity } from '../../contract/studio/gaps.ts';

/** What the author reads about a kind of gap: a short name, and the one thing to do. */
export interface GapKind {
  readonly severity: GapSeverity;
  readonly title: string;
  readonly todo: string;
}

function row(severity: GapSeverity, title: string, todo: string): GapKind {
  return { severity, title, todo };
}

/** Kind → severity and wording (importers 8). */
export const GAP_KINDS: ReadonlyMap<string, GapKind> = new Map([
  [
    'proprietary_node',
    row(
      'blocking',
      'No counterpart in the draft',
      'Rebuild what it does with a step or a tool of your own, or take it out of the design.',
    ),
  ],
  [
    'expression',
    row('blocking', 'Computed by the source', 'Write the condition or the text by hand.'),
  ],
  [
    'memory',
    row(
      'blocking',
      'Conversation memory not carried',
      'Decide what is remembered and set the memory of the agent.',
    ),
  ],
  [
    'branching_shape',
    row('blocking', 'Shape of the flow not carried', 'Redraw this part of the flow in the editor.'),
  ],
  [
    'subworkflow',
    row('blocking', 'Calls another workflow', 'Import the called workflow and add it as a step.'),
  ],
  [
    'external_service',
    row(
      'blocking',
      'Needs a knowledge service',
      'Give the agent a tool that reaches the knowledge, or drop it.',
    ),
  ],
  [
    'inline_secret',
    row(
      'blocking',
      'Credential written as plain text',
      'Store the credential on the platform and refer to it; replace it where it was published.',
    ),
  ],
  [
    'deterministic_tool',
    row(
      'blocking',
      'Tool that no model calls',
      'Add it as a function step, or offer it to an agent.',
    ),
  ],
  [
    'offered_tool_not_bound',
    row(
      'blocking',
      'Offered as a tool, not bound',
      'Add a tool that stands for it and offer it to the agent.',
    ),
  ],
  [
    'tool_without_backing',
    row('blocking', 'Tool without an implementation', 'Name the function or server that does it.'),
  ],
  [
    'unbounded_loop',
    row('blocking', 'Loop without a limit', 'Choose the greatest number of steps (max_steps).'),
  ],
  [
    'agent_execution_mode_not_carried',
    row(
      'blocking',
      'Another kind of agent',
      'Check that a tool-calling agent does the job, and rewrite its instructions.',
    ),
  ],
  [
    'unreachable_from_entry',
    row('blocking', 'Never reached in the source', 'Connect the step, or remove it.'),
  ],
  [
    'divergent_entry',
    row(
      'blocking',
      'Triggers start different programs',
      'Split the draft in one per trigger, or choose the one to keep.',
    ),
  ],
  [
    'error_route_not_carried',
    row(
      'blocking',
      'Failure route became an ordinary edge',
      'Set what the step does on an error, and remove the edge.',
    ),
  ],
  [
    'execution_setting',
    row('blocking', 'Run-time setting lost', 'Set retries and failure handling of the step.'),
  ],
  [
    'containment_not_carried',
    row('blocking', 'Loop body not carried', 'Rebuild the loop and its content as steps.'),
  ],
  [
    'source_cannot_run',
    row('blocking', 'Fails in the source itself', 'Repair the element before you rely on it.'),
  ],
  ['no_entry', row('blocking', 'Nothing starts it', 'Decide what starts the run.')],
  [
    'model_unresolved',
    row('manual', 'Model not named', 'Choose the provider and the model of the agent.'),
  ],
  [
    'ambiguous_binding',
    row('manual', 'Several models on one agent', 'Choose the model that the agent uses.'),
  ],
  [
    'run_input',
    row('manual', 'Input of the run', 'Let the caller send this text as the input of the run.'),
  ],
  [
    'output_formatting_not_carried',
    row('manual', 'Shape of the answer not carried', 'Shape the answer where it is shown.'),
  ],
  [
    'entry_mechanism_not_carried',
    row(
      'manual',
      'Trigger not carried',
      'Start the run from outside (schedule, webhook, event) through the platform.',
    ),
  ],
  [
    'parameters_not_carried',
    row('manual', 'Setting not carried', 'Set it in the draft if you still want it.'),
  ],
  ['deactivated_node', row('info', 'Switched off in the source', 'Nothing to do.')],
  ['annotation', row('info', 'Note on the canvas', 'Nothing to do.')],
  [
    'source_repaired',
    row('manual', 'The file was mended', 'Check that the mended place says what was meant.'),
  ],
  [
    'version_assumed',
    row(
      'info',
      'Newer version read by known rules',
      'Nothing to do unless the step behaves oddly.',
    ),
  ],
  [
    'condition_translated',
    row('info', 'Condition translated', 'Compare the condition with the original.'),
  ],
  ['carried_as', row('manual', 'Carried in another form', 'Check that it does the same.')],
]);

/** Kinds whose severity the importer states itself, never below the row of importers 14. */
const STATED: ReadonlySet<string> = new Set(['carried_as', 'source_repaired', 'version_assumed']);

/** What the severity of a gap depends on. */
export interface SeverityFacts {
  readonly kind: string;
  readonly subject?: 'run_input' | 'system_prompt';
  readonly provenance?: 'authored' | 'source_default';
  readonly effective?: boolean;
  readonly carried?: boolean;
  readonly mechanism?: string;
  /** For `no_entry`: the source may have a start in a form that cannot be read. */
  readonly startMayBeUnreadable?: boolean;
  readonly severity?: GapSeverity;
}

function parameterSeverity(facts: SeverityFacts): GapSeverity {
  if (facts.effective === false || facts.carried === true) return 'info';
  if (facts.provenance === 'source_default') return 'info';
  if (facts.subject === 'system_prompt' && facts.provenance === 'authored') return 'blocking';
  return 'manual';
}

/** Severity of a gap (importers 8); a kind without a row is blocking. */
export function severityOf(facts: SeverityFacts): GapSeverity {
  const { kind } = facts;
  const stated = facts.severity;
  if (stated !== undefined && (STATED.has(kind) || isRaised(kind))) return stated;
  if (kind === 'parameters_not_carried') return parameterSeverity(facts);
  if (kind === 'entry_mechanism_not_carried') {
    return facts.mechanism === 'manual' || facts.mechanism === 'unknown' ? 'info' : 'manual';
  }
  if (kind === 'no_entry') return facts.startMayBeUnreadable === true ? 'manual' : 'blocking';
  return GAP_KINDS.get(kind)?.severity ?? 'blocking';
}

function isRaised(kind: string): boolean {
  return GAP_KINDS.get(kind) === undefined;
}
