import { type JsonObject, setOwn } from '../../kernel/json.ts';
import { machineName } from '../../spec/values/machine-name.ts';
import type { Call } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Graph, Node, Timer } from '../graph-ir.ts';
import type { Protector } from '../secrets.ts';
import { NameSet } from './names.ts';

/** A step of the draft. */
export interface DraftStep {
  readonly id: string;
  readonly kind: string;
  readonly ref: string;
  readonly settings: JsonObject;
  /** Set on a pause in whose place a function may stand. */
  readonly timer?: Timer;
}

/** Sections whose names are claimed apart from each other. */
export type NamedSection = ComponentSection | 'tools' | 'servers';

export type ComponentSection = 'agents' | 'functions' | 'humans' | 'workflows';

const SECTION_OF: Readonly<Record<string, ComponentSection>> = {
  agent: 'agents',
  function: 'functions',
  human: 'humans',
  workflow: 'workflows',
};

/** The draft while it is built: components, steps and the cards met on the way. */
export class Draft {
  readonly cards: Card[] = [];
  readonly agents = new Map<string, JsonObject>();
  readonly tools = new Map<string, JsonObject>();
  readonly servers = new Map<string, JsonObject>();
  /** Settings of tools that built-in steps carry out, by their names. */
  readonly toolSettings = new Map<string, JsonObject>();
  /** Source id → its step. */
  readonly steps = new Map<string, DraftStep>();
  /** Source id → paths of what it became beside its step: tools, servers, agents behind tools. */
  private readonly parts = new Map<string, (readonly string[])[]>();
  /** Tool id → the agent behind it. */
  readonly backing = new Map<string, string>();
  /** Component workflows that stand empty for a workflow of another file. */
  readonly calls: Call[] = [];
  readonly protector: Protector;
  readonly graph: Graph;
  private readonly others = new Map<ComponentSection, Map<string, JsonObject>>();
  private readonly stepNames = new NameSet();
  private readonly componentNames = new Map<NamedSection, NameSet>();

  constructor(graph: Graph, protector: Protector) {
    this.graph = graph;
    this.protector = protector;
  }

  /** Claims a name in a section; an unusable or secret one becomes `<fallback>_<count>`. */
  claimName(section: NamedSection, name: string, fallback: string): string {
    const names = this.componentNames.get(section) ?? new NameSet();
    this.componentNames.set(section, names);
    return names.claim(this.base(name, `${fallback}_${names.size}`));
  }

  addAgent(name: string, agent: JsonObject): void {
    this.agents.set(name, agent);
  }

  addComponent(section: ComponentSection, name: string, component: JsonObject): void {
    const map = this.others.get(section) ?? new Map<string, JsonObject>();
    map.set(name, component);
    this.others.set(section, map);
  }

  /** What a function component calls. */
  functionOf(name: string): string | undefined {
    const called = this.others.get('functions')?.get(name)?.['implementation'];
    return typeof called === 'string' ? called : undefined;
  }

  /** Adds the step of a node; its id comes from the node's name. */
  addStep(node: Node, kind: string, ref: string, timer?: Timer): void {
    const id = this.stepNames.claim(this.base(node.name, `step_${this.stepNames.size}`));
    const step: DraftStep = { id, kind, ref, settings: node.step ?? {} };
    this.steps.set(node.id, timer === undefined ? step : { ...step, timer });
  }

  /** Puts a function in the place of a pause, where a person cannot be waited for. */
  withoutPause(sourceId: string, step: DraftStep): DraftStep {
    if (step.timer === undefined) return step;
    this.others.get('humans')?.delete(step.ref);
    const ref = this.claimName('functions', step.ref, 'function');
    this.addComponent('functions', ref, step.timer.definition(ref, this.protector));
    const made: DraftStep = { id: step.id, kind: 'function', ref, settings: step.settings };
    this.steps.set(sourceId, made);
    return made;
  }

  /** Claims the id of a step that stands for no single node. */
  claimStepId(wanted: string): string {
    return this.stepNames.claim(wanted);
  }

  /** Notes what an element became beside its step. */
  addPart(sourceId: string, ...path: readonly string[]): void {
    this.parts.set(sourceId, [...(this.parts.get(sourceId) ?? []), path]);
  }

  placesOf(sourceId: string): readonly (readonly string[])[] {
    const step = this.steps.get(sourceId);
    const parts = this.parts.get(sourceId) ?? [];
    const section = step === undefined ? undefined : SECTION_OF[step.kind];
    if (step === undefined || section === undefined) return parts;
    return [['components', section, step.ref], ...parts];
  }

  runsOf(sourceId: string): string | undefined {
    const step = this.steps.get(sourceId);
    return step === undefined ? undefined : `${step.kind}:${step.ref}`;
  }

  stepId(sourceId: string): string | null {
    return this.steps.get(sourceId)?.id ?? null;
  }

  /** The `components` block, or undefined when there is none. */
  components(): JsonObject | undefined {
    const out: JsonObject = {};
    const sections: [ComponentSection, ReadonlyMap<string, JsonObject> | undefined][] = [
      ['agents', this.agents],
      ['workflows', this.others.get('workflows')],
      ['functions', this.others.get('functions')],
      ['humans', this.others.get('humans')],
    ];
    for (const [section, map] of sections) {
      if (map === undefined || map.size === 0) continue;
      const block: JsonObject = {};
      for (const [name, component] of map) setOwn(block, name, component);
      setOwn(out, section, block);
    }
    return Object.keys(out).length === 0 ? undefined : out;
  }

  private base(name: string, fallback: string): string {
    const word = machineName(name);
    const secret = this.protector.holds(name) || this.protector.holds(word);
    return word === '' || secret ? fallback : word;
  }
}

/** The id, kind and ref of a step as the spec writes them, with its settings. */
export function stepObject(step: DraftStep): JsonObject {
  return { id: step.id, kind: step.kind, ref: step.ref, ...step.settings };
}
