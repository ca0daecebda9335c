import { decisionVerdict, textsUnder } from '../../ledger/decisions.ts';
import type { Place } from '../../ledger/place.ts';
import { KEPT, none } from '../../ledger/plans.ts';
import type { LedgerScene } from '../../ledger/scene.ts';
import type { Verdict } from '../../ledger/survey.ts';
import { at, listOf, type Value, type ValueMap } from '../../value.ts';
import type { DifyDocument, DifyNode } from '../document.ts';

/** A rule for a setting; `beside` is what it stands in. */
export type Rule = (key: string, value: Value, beside: Value) => Verdict | undefined;

const DECISION_PARTS: ReadonlySet<string> = new Set([
  'cases',
  'conditions',
  'logical_operator',
  'classes',
]);
const ANSWER_PARTS: ReadonlySet<string> = new Set(['answer', 'outputs', 'variables']);
const ANSWER_KINDS = ['output_formatting_not_carried', 'source_cannot_run', 'run_input'];
const RUN_PARTS: ReadonlySet<string> = new Set(['retry_config', 'error_strategy', 'default_value']);
const INSIDE: ReadonlySet<string> = new Set(['iteration_id', 'loop_id', 'parentId']);
const VALUE_NAME: ReadonlySet<string> = new Set(['value']);

function told(cards: readonly number[]): Verdict | undefined {
  return cards.length > 0 ? { fate: 'noted', cards } : undefined;
}

function literal(text: string): string {
  return text.includes('{{') ? '' : text;
}

/** Names that say which plugin a part came from. */
const PLUGIN_NAMES: ReadonlySet<string> = new Set([
  'plugin_unique_identifier',
  'agent_strategy_label',
  'agent_strategy_provider_name',
]);

function messageRule(key: string, beside: Value): Verdict | undefined {
  if (key === 'jinja2_text' && at(beside, 'edition_type') !== 'jinja2') return none('unused');
  const isMessage = at(beside, 'role') !== undefined && at(beside, 'text') !== undefined;
  return key === 'id' && isMessage ? none('element_id') : undefined;
}

function isDefault(key: string, value: Value, beside: Value): boolean {
  if (value === false && key.endsWith('_enabled')) return true;
  if (key === 'type' && value === 'constant') return at(beside, 'value') !== undefined;
  return key === 'mode' && value === 'chat' && at(beside, 'provider') !== undefined;
}

/** Rules that hold for every setting of an app. */
export const commonRule: Rule = (key, value, beside) => {
  if (value instanceof Map && value.get('enabled') === false) return none('unused');
  if (isDefault(key, value, beside)) return none('source_default');
  if (PLUGIN_NAMES.has(key)) return KEPT;
  const ofEditor = key === 'selected' || (key === 'edition_type' && value === 'basic');
  const isSelector = key === 'model_type' || (key === 'type' && value === 'model-selector');
  if (ofEditor || isSelector) return none('editor_only');
  return messageRule(key, beside);
};

/** What is known of the settings of one node of a graph. */
export class NodeRules {
  private readonly ledger: LedgerScene;
  private readonly node: DifyNode;
  private readonly doc: DifyDocument;
  private readonly tools: ReadonlyMap<Value, number>;

  constructor(ledger: LedgerScene, node: DifyNode, doc: DifyDocument) {
    this.ledger = ledger;
    this.node = node;
    this.doc = doc;
    this.tools = indexed(at(node.data, 'agent_parameters', 'tools', 'value'));
  }

  readonly rule: Rule = (key, value, beside) => {
    const tool = value instanceof Map ? this.tools.get(value) : undefined;
    if (tool !== undefined) {
      const cards = this.ledger.cardsOf(`${this.node.id}:tools[${tool}]`);
      if (cards.length > 0) return { fate: 'noted', cards };
    }
    if (key === 'role') return this.role(value, beside);
    const own = beside === this.node.data ? this.ownRule(key, value) : undefined;
    return own ?? commonRule(key, value, beside);
  };

  private ownRule(key: string, value: Value): Verdict | undefined {
    const { ledger, node } = this;
    if (INSIDE.has(key)) return this.contained();
    if (RUN_PARTS.has(key)) return this.runSetting(key, value);
    if (ANSWER_PARTS.has(key)) return this.answer(key);
    if (DECISION_PARTS.has(key)) {
      return decisionVerdict(node.id, textsUnder(node.data, VALUE_NAME, literal), ledger);
    }
    switch (key) {
      case 'title':
      case 'type':
        return this.identity();
      case 'desc':
        return KEPT;
      case 'isInIteration':
      case 'isInLoop':
        return none('editor_only');
      case 'memory':
        return this.doc.mode === 'advanced-chat' ? undefined : none('unused');
      case 'query':
        return told(ledger.cardsOf(node.id, ['run_input'], 'prompt'));
      default:
        return undefined;
    }
  }

  /** The part that a message plays: the system prompt, or what is given anew for each run. */
  private role(value: Value, message: Value): Verdict | undefined {
    const { ledger, node } = this;
    const [place] = ledger.placesOf(node.id);
    const draft = place?.below('system_prompt');
    const hasPrompt = draft !== undefined && ledger.at(draft) !== undefined;
    if (value === 'system' && hasPrompt) return { fate: 'carried', form: 'translated', draft };
    const isGiven = value === 'user' && at(message, 'text') !== undefined;
    return isGiven ? told(ledger.cardsOf(node.id, ['run_input'], 'prompt')) : undefined;
  }

  /** What the app gives back, or asks for. */
  private answer(key: string): Verdict | undefined {
    const { ledger, node } = this;
    const cards = ledger.cardsOf(node.id, ANSWER_KINDS);
    const isPlain = key !== 'variables' && node.type === 'answer';
    return told(cards.length === 0 && isPlain ? ledger.cardsOf(node.id) : cards);
  }

  /** Name and kind of an element are what it is in the draft, else its gaps name it. */
  private identity(): Verdict | undefined {
    const [draft] = this.ledger.placesOf(this.node.id);
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
    return told(this.ledger.cardsOf(this.node.id));
  }

  /** Where an element stands: in the workflow of its container, or its gap says that it is lost. */
  contained(): Verdict {
    const runs = this.ledger.runsOf(this.node.id);
    const [draft] = runs === undefined ? [] : this.ledger.flow.places(runs);
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
    return told(this.ledger.cardsOf(this.node.id)) ?? KEPT;
  }

  private runSetting(key: string, value: Value): Verdict | undefined {
    if (at(value, 'retry_enabled') === false || value === 'none') return none('source_default');
    const cards = this.ledger.cardsOf(this.node.id, undefined, 'run');
    const draft = this.stepMember(key === 'retry_config' ? 'max_retries' : 'on_error');
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft, cards };
    return told(cards);
  }

  private stepMember(member: string): Place | undefined {
    const runs = this.ledger.runsOf(this.node.id);
    if (runs === undefined) return undefined;
    const places = this.ledger.flow.places(runs).map((place) => place.below(member));
    return places.find((place) => this.ledger.at(place) !== undefined);
  }
}

function indexed(list: Value | undefined): ReadonlyMap<Value, number> {
  return new Map(listOf(list).map((item, index) => [item, index]));
}

/** The prompts that an app without a graph holds and does not use. */
function unusedPrompts(config: ValueMap): ReadonlySet<string> {
  const isAdvanced = config.get('prompt_type') === 'advanced';
  const isCompletion = at(config, 'model', 'mode') === 'completion';
  const other = isAdvanced ? 'pre_prompt' : 'chat_prompt_config';
  return new Set([
    other,
    isAdvanced && isCompletion ? 'chat_prompt_config' : 'completion_prompt_config',
  ]);
}

/** What is known of the settings of an app without a graph. */
export function appRule(config: ValueMap, ledger: LedgerScene): Rule {
  const tools = indexed(at(config, 'agent_mode', 'tools'));
  const unused = unusedPrompts(config);
  const ownRule = (key: string, value: Value): Verdict | undefined => {
    const feature = told(ledger.cardsOf(`feature:${key}`));
    if (feature !== undefined) return feature;
    if (key === 'user_input_form') return told(ledger.cardsOf('model_config', ['run_input']));
    const hasSets = listOf(at(value, 'datasets', 'datasets')).length > 0;
    const isIdle = key === 'dataset_configs' && !hasSets;
    return unused.has(key) || isIdle ? none('unused') : undefined;
  };
  return (key, value, beside) => {
    const tool = value instanceof Map ? tools.get(value) : undefined;
    const cards = tool === undefined ? [] : ledger.cardsOf(`model_config:tools[${tool}]`);
    const own = beside === config ? ownRule(key, value) : told(cards);
    return own ?? commonRule(key, value, beside);
  };
}
