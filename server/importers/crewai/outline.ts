import { identity, settingsPlan, told } from '../elements/ledger.ts';
import { ClaimTree, claim, type TextReading, vouch } from '../ledger/claims.ts';
import type { Outline } from '../ledger/outline.ts';
import { Owners } from '../ledger/owners.ts';
import { KEPT, members, none, noted, whole } from '../ledger/plans.ts';
import type { LedgerScene } from '../ledger/scene.ts';
import type { Plan, Verdict } from '../ledger/survey.ts';
import { textOf, type Value, type ValueMap } from '../value.ts';
import type { CrewDocument } from './load.ts';

const CLAIMS = new ClaimTree([
  ...['role', 'goal', 'backstory', 'description', 'expected_output'].map((key) =>
    claim(key, 'system_prompt'),
  ),
  vouch('llm', 'model.name'),
  vouch('llm.model', 'model.name'),
  vouch('llm.temperature', 'model.temperature'),
  vouch('llm.max_tokens', 'model.max_tokens'),
  claim('max_iter', 'strategy.max_iterations'),
]);

const TASK_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['async_execution', ['execution_setting']],
  ['guardrail', ['execution_setting']],
  ['output_json', ['output_formatting_not_carried']],
  ['output_pydantic', ['output_formatting_not_carried']],
  ['output_file', ['output_formatting_not_carried']],
  ['markdown', ['output_formatting_not_carried']],
]);
const AGENT_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['memory', ['memory']],
  ['allow_delegation', ['offered_tool_not_bound']],
]);

/** Texts are read line by line: blocks of YAML end with a line break. */
function readText(text: string): TextReading {
  return { pieces: [text], computed: false };
}

class Document {
  private readonly ledger: LedgerScene;
  private readonly doc: CrewDocument;
  private readonly owners: Owners;

  constructor(ledger: LedgerScene, doc: CrewDocument) {
    this.ledger = ledger;
    this.doc = doc;
    this.owners = new Owners(ledger, doc.name, 'file');
  }

  file(): Plan {
    const top = (key: string): Plan => {
      if (key === 'tasks') return members('node', (name) => this.task(String(name)));
      if (key === 'agents') return members('node', (name) => this.agent(String(name)));
      return key === 'crew' ? this.crew() : noted('file', KEPT);
    };
    return members('file', (key) => top(String(key)), { owner: this.owners.file });
  }

  private task(key: string): Plan {
    const id = `tasks.${key}`;
    const { ledger } = this;
    const own = this.doc.elements.find((task) => task.id === id)?.settings;
    const rule = (name: string, value: Value, beside: Value): Verdict | undefined => {
      const tool = this.tool(id, own, value, name);
      if (tool !== undefined) return tool;
      if (beside !== own && name !== 'context') return undefined;
      if (value === false) return none('source_default');
      if (name === 'agent') return identity(ledger, id);
      if (name === 'human_input') return identity(ledger, `${id}:review`);
      if (name === 'context') return this.context(id);
      return told(ledger.cardsOf(id, TASK_KINDS.get(name) ?? []));
    };
    const owner = this.owners.of(id, key);
    return settingsPlan(ledger, id, { claims: CLAIMS, read: readText, rule, owner });
  }

  /** Results that a task asks for are its edge, or its gap says how they differ. */
  private context(id: string): Verdict | undefined {
    const cards = this.ledger.cardsOf(id, ['branching_shape', 'source_cannot_run']);
    return told(cards) ?? identity(this.ledger, id);
  }

  private tool(
    owner: string,
    settings: ValueMap | undefined,
    value: Value,
    name: string,
  ): Verdict | undefined {
    const list = settings?.get('tools');
    if (name !== 'tools' || !Array.isArray(list) || typeof value !== 'string') return undefined;
    const index = list.indexOf(value);
    return told(this.ledger.cardsOf(`${owner}:tools[${index}]`));
  }

  private agent(key: string): Plan {
    const { ledger, doc } = this;
    const id = `agents.${key}`;
    const own = doc.agents.get(key)?.settings;
    const tasks = doc.elements.filter(({ settings }) => textOf(settings.get('agent')) === key);
    const [first] = tasks;
    const rule = (name: string, value: Value, beside: Value): Verdict | undefined => {
      const tool = this.tool(id, own, value, name);
      if (tool !== undefined) return tool;
      if (beside !== own) return undefined;
      if (value === false) return none('source_default');
      if (name === 'verbose') return KEPT;
      const kinds = AGENT_KINDS.get(name);
      if (kinds === undefined) return undefined;
      return told(tasks.flatMap((task) => ledger.cardsOf(task.id, kinds)));
    };
    const owner = this.owners.of(id, key);
    return settingsPlan(ledger, first?.id ?? id, { claims: CLAIMS, read: readText, rule, owner });
  }

  private crew(): Plan {
    const owner = this.owners.of('crew', 'crew');
    const { ledger } = this;
    return members(
      'setting',
      (key) =>
        whole('setting', (value) => {
          if (key === 'name' || key === 'verbose') return KEPT;
          if (key !== 'process') return value === false ? none('source_default') : { fate: 'left' };
          if (value === 'sequential') return none('source_default');
          return told(ledger.cardsOf('crew', ['branching_shape'])) ?? { fate: 'left' };
        }),
      { owner },
    );
  }
}

/** What the ledger needs to know of a crew. */
export function crewOutline(root: ValueMap, doc: CrewDocument): Outline {
  const file = { source_id: 'crew', source_label: 'crew', locator: '$.crew' };
  const tasks = new Map(doc.elements.map(({ id, ref }) => [id, ref]));
  return {
    root,
    source: 'crewai',
    file,
    refOf: (id) => {
      const key = id.startsWith('agents.') ? id.slice('agents.'.length) : undefined;
      if (key === undefined) return tasks.get(id) ?? file;
      return { source_id: id, source_label: key, locator: `$.agents.${key}` };
    },
    headOf: () => ({}),
    plan: (ledger) => new Document(ledger, doc).file(),
  };
}
