import { secretsInText } from '../../kernel/secrets-in-text.ts';
import { identity, settingsPlan, told, wiresOf } from '../elements/ledger.ts';
import { type Claim, ClaimTree, claim, vouch } from '../ledger/claims.ts';
import { decisionVerdict } from '../ledger/decisions.ts';
import type { LedgerReason } from '../ledger/ledger.ts';
import type { Outline } from '../ledger/outline.ts';
import { Owners } from '../ledger/owners.ts';
import { KEPT, LEFT, members, none, noted, whole } from '../ledger/plans.ts';
import type { LedgerScene } from '../ledger/scene.ts';
import type { Plan, Verdict } from '../ledger/survey.ts';
import { at, listOf, textOf, type Value } from '../value.ts';
import { type FlowiseDocument, NOTE } from './load.ts';
import { loopWires } from './loops.ts';
import { plainText, readTemplate } from './texts.ts';

const LOOKS = 'position positionAbsolute width height zIndex measured style resizing'.split(' ');
const EDITOR = 'selected dragging type extent hidden sourcePosition targetPosition'.split(' ');
const NODE_NONE: ReadonlyMap<string, LedgerReason> = new Map<string, LedgerReason>([
  ['id', 'element_id'],
  ...LOOKS.map((key): [string, LedgerReason] => [key, 'canvas_position']),
  ...EDITOR.map((key): [string, LedgerReason] => [key, 'editor_only']),
]);
const DATA_EDITOR =
  'inputParams inputAnchors outputAnchors outputs selected hideInput hideOutput baseClasses category description type tags badge author documentation loadMethods filePath icon hint warning'.split(
    ' ',
  );
const DATA_NONE: ReadonlyMap<string, LedgerReason> = new Map<string, LedgerReason>([
  ['id', 'element_id'],
  ['version', 'format_version'],
  ['color', 'colour'],
  ...DATA_EDITOR.map((key): [string, LedgerReason] => [key, 'editor_only']),
]);

function agentClaims(prefix: string): Claim[] {
  const config = `${prefix}ModelConfig`;
  return [
    vouch(`${prefix}Model`, 'model.provider'),
    vouch(`${config}.${prefix}Model`, 'model.provider'),
    claim(`${config}.modelName`, 'model.name'),
    vouch(`${config}.temperature`, 'model.temperature'),
    vouch(`${config}.maxTokens`, 'model.max_tokens'),
    claim(`${prefix}Messages.*.content`, 'system_prompt'),
    vouch(`${prefix}Messages.*.role`, 'system_prompt'),
    claim(`${prefix}UserMessage`, 'system_prompt'),
    vouch(`${prefix}MemoryWindowSize`, 'memory.max_messages'),
    vouch(`${prefix}EnableMemory`, 'memory'),
    vouch(`${prefix}MemoryType`, 'memory'),
  ];
}

const CLAIMS = new ClaimTree([
  ...agentClaims('agent'),
  ...agentClaims('llm'),
  ...agentClaims('conditionAgent'),
  claim('conditionAgentInstructions', 'system_prompt'),
  claim('conditionAgentInput', 'system_prompt'),
  claim('conditionAgentScenarios.*.scenario', 'system_prompt'),
  claim('humanInputDescription', 'description'),
  vouch('humanInputDescriptionType', 'description'),
]);

/** How answers are shown, and names of credentials, which a suggestion tells. */
const KEPT_NAMES: ReadonlySet<string> = new Set([
  'streaming',
  'credential',
  'FLOWISE_CREDENTIAL_ID',
]);

/** Settings that a gap of a kind tells. */
const TOLD_BY: readonly (readonly [RegExp, readonly string[]])[] = [
  [/UpdateState$|^startState$|^startPersistState$/, ['memory']],
  [/^(?:form|startInputType)/, ['run_input', 'entry_mechanism_not_carried']],
  [/^agentKnowledge/, ['external_service']],
  [/^llmStructuredOutput$/, ['output_formatting_not_carried']],
  [/^directReplyMessage$/, ['output_formatting_not_carried']],
  [/^executeFlow/, ['subworkflow', 'carried_as']],
  [/^(?:loopBackToNode|maxLoopCount)$/, ['carried_as', 'source_cannot_run', 'unbounded_loop']],
  [/^iterationInput$/, ['containment_not_carried']],
  [/^humanInput/, ['carried_as']],
];

class Document {
  private readonly ledger: LedgerScene;
  private readonly doc: FlowiseDocument;
  private readonly owners: Owners;
  private readonly wires: ReturnType<typeof wiresOf>;

  constructor(ledger: LedgerScene, doc: FlowiseDocument) {
    this.ledger = ledger;
    this.doc = doc;
    this.owners = new Owners(ledger, doc.name, 'file');
    const all = { ...doc, wires: [...doc.wires, ...loopWires(doc)] };
    this.wires = wiresOf(ledger, all, (type) => type === 'startAgentflow');
  }

  file(): Plan {
    const top = (key: string): Plan => {
      if (key === 'nodes') return members('node', (index) => this.node(Number(index)));
      if (key === 'edges') return members('output', (index) => this.edge(Number(index)));
      return key === 'viewport'
        ? whole('node', () => none('canvas_position'))
        : noted('file', KEPT);
    };
    return members('file', (key) => top(String(key)), { owner: this.owners.file });
  }

  private edge(index: number): Plan {
    const edge = this.doc.edges[index];
    return whole(
      'output',
      () => {
        const at = edge?.wire === undefined ? -1 : this.doc.wires.indexOf(edge.wire);
        const wire = this.wires.wireOf(at);
        if (wire !== undefined) return this.wires.wires.decide(wire);
        return told(this.ledger.cardsOf(`edge:${index}`)) ?? none('unused');
      },
      { label: edge?.label ?? '?' },
    );
  }

  private node(index: number): Plan {
    const element = this.doc.elements[index];
    if (element === undefined) return noted('node', LEFT);
    const { id, title } = element;
    const isNote = element.type === NOTE;
    const owner = this.owners.of(id, title, isNote ? 'notes' : 'elements');
    const data = (key: string): Plan => {
      const reason = DATA_NONE.get(key);
      if (reason !== undefined) return whole('node', () => none(reason));
      if (key === 'label' || key === 'name') return whole('node', () => identity(this.ledger, id));
      if (key !== 'inputs') return noted('node', LEFT);
      if (isNote) return noted('note', KEPT);
      const rule = (name: string, value: Value, beside: Value): Verdict | undefined =>
        this.rule(id, index, name, value, beside);
      return settingsPlan(this.ledger, id, { claims: CLAIMS, read: readTemplate, rule });
    };
    const member = (key: string): Plan => {
      const reason = NODE_NONE.get(key);
      if (reason !== undefined) return whole('node', () => none(reason));
      if (key === 'parentNode') return whole('node', () => this.contained(id));
      return key === 'data'
        ? members('parameter', (name) => data(String(name)))
        : noted('node', KEPT);
    };
    return members('node', (key) => member(String(key)), { owner });
  }

  private contained(id: string): Verdict {
    const runs = this.ledger.runsOf(id);
    const [draft] = runs === undefined ? [] : this.ledger.flow.places(runs);
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
    return told(this.ledger.cardsOf(id)) ?? KEPT;
  }

  private rule(
    id: string,
    index: number,
    key: string,
    value: Value,
    beside: Value,
  ): Verdict | undefined {
    const { ledger } = this;
    const settings = this.doc.elements[index]?.settings;
    if (value instanceof Map) {
      const tool = listOf(settings?.get('agentTools')).indexOf(value);
      const cards = tool < 0 ? [] : ledger.cardsOf(`${id}:tools[${tool}]`);
      if (cards.length > 0) return { fate: 'noted', cards };
    }
    if (KEPT_NAMES.has(key)) return KEPT;
    if (beside !== settings) return undefined;
    if (key === 'conditions') {
      const operands = new Set(
        listOf(settings?.get('conditions'))
          .map((item) => plainText(textOf(at(item, 'value2')) ?? ''))
          .filter((text) => text !== ''),
      );
      return decisionVerdict(id, operands, ledger);
    }
    if (value === false || value === 'userMessage') return none('source_default');
    const kinds = TOLD_BY.find(([pattern]) => pattern.test(key))?.[1];
    return kinds === undefined ? undefined : told(ledger.cardsOf(id, kinds));
  }
}

/** What the ledger needs to know of an AgentFlow. */
export function flowiseOutline(root: Value, doc: FlowiseDocument): Outline {
  const elements = new Map(doc.elements.map((element) => [element.id, element]));
  const label = secretsInText(doc.name).length > 0 ? 'Flow' : doc.name;
  const file = { source_id: 'workflow:settings', source_label: label, locator: '$' };
  return {
    root,
    source: 'flowise',
    file,
    refOf: (id) => elements.get(id)?.ref ?? file,
    headOf: (id) => {
      const type = elements.get(id)?.type;
      return type === undefined ? {} : { type };
    },
    plan: (ledger) => new Document(ledger, doc).file(),
  };
}
