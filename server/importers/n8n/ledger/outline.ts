import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import { secretsInText } from '../../../kernel/secrets-in-text.ts';
import type { LedgerReason } from '../../ledger/ledger.ts';
import type { Outline } from '../../ledger/outline.ts';
import { fileNotes, Owners } from '../../ledger/owners.ts';
import { DRAFT } from '../../ledger/place.ts';
import { EMPTY, isEmptyLeaf, KEPT, LEFT, members, none, noted, whole } from '../../ledger/plans.ts';
import type { LedgerScene } from '../../ledger/scene.ts';
import type { Plan, Verdict } from '../../ledger/survey.ts';
import { type Wire, type WiredElement, Wires } from '../../ledger/wires.ts';
import { at, textOf, type Value } from '../../value.ts';
import { leadsFlow, outputLabel } from '../connections.ts';
import type { N8nNode } from '../document.ts';
import { workflowOf } from '../extended/repair.ts';
import { inputOf } from '../load.ts';
import type { Scene } from '../scene.ts';
import { NodePlans } from './node-plan.ts';

const STAMPS: readonly string[] =
  'versionId createdAt updatedAt triggerCount isArchived shared homeProject usedCredentials scopes versionCounter sharedWithProjects parentFolder activeVersionId activeVersion checksum'.split(
    ' ',
  );
const MEANINGLESS: ReadonlyMap<string, LedgerReason> = new Map<string, LedgerReason>([
  ['pinData', 'test_data'],
  ['staticData', 'stored_state'],
  ...STAMPS.map((key): [string, LedgerReason] => [key, 'export_stamp']),
]);
const DESCRIBING: ReadonlySet<string> = new Set(['id', 'name', 'active', 'tags', 'description']);
const META: ReadonlyMap<string, LedgerReason> = new Map<string, LedgerReason>([
  ['instanceId', 'export_stamp'],
  ['templateCredsSetupCompleted', 'editor_only'],
]);
/** Settings of a workflow that say how runs are recorded or who may see them, not what they do. */
const HOUSEKEEPING = /^(?:save[A-Z]\w*|caller\w*|availableInMCP|timeSaved\w*|binaryMode)$/;
const DEFAULTS: Readonly<Record<string, Value>> = {
  executionOrder: 'v1',
  timezone: 'DEFAULT',
  executionTimeout: -1,
};

/** Settings that a flow of items has, and where. */
const OF_FLOW: Readonly<Record<string, string>> = { executionOrder: 'order', timezone: 'zone' };
const FLOW = DRAFT.at(['metadata', 'flow']);

function settingsPlan(ledger: LedgerScene): Plan {
  return members('setting', (key) => {
    const decide = (value: Value): Verdict => {
      if (isEmptyLeaf(value)) return EMPTY;
      const draft = FLOW.below(OF_FLOW[key] ?? '');
      const like = ledger.like(value, ledger.at(draft), String(key));
      if (like !== 'other') return { fate: 'carried', form: like, draft };
      if (DEFAULTS[key] === value) return none('source_default');
      return HOUSEKEEPING.test(String(key)) ? KEPT : LEFT;
    };
    return whole('setting', decide, { label: `settings.${key}` });
  });
}

function metaPlan(): Plan {
  return members('setting', (key) => {
    const reason = META.get(String(key));
    return reason === undefined ? noted('setting', KEPT) : whole('setting', () => none(reason));
  });
}

class Document {
  private readonly ledger: LedgerScene;
  private readonly scene: Scene;
  private readonly owners: Owners;
  private readonly plans: NodePlans;
  private readonly byName: ReadonlyMap<string, N8nNode>;
  private readonly byId: ReadonlyMap<string, N8nNode>;
  private wires: Wires | undefined;

  constructor(ledger: LedgerScene, scene: Scene, label: string) {
    this.ledger = ledger;
    this.scene = scene;
    this.owners = new Owners(ledger, label, 'workflow');
    this.plans = new NodePlans(ledger, scene, this.owners);
    const { nodes } = scene.doc;
    this.byName = new Map(nodes.map((node) => [node.name, node]));
    this.byId = new Map(nodes.map((node) => [node.id, node]));
  }

  /** The wires of the source, for those that the draft has no edge of their own for. */
  private wiring(): Wires {
    const { nodes, links } = this.scene.doc;
    const elements = new Map(
      nodes.map((node): [string, WiredElement] => [node.id, this.wired(node)]),
    );
    const wires: Wire[] = links
      .filter((link) => link.type === 'main')
      .map(({ source, port, target }) => this.wire(source, port, target));
    return new Wires(this.ledger, elements, wires);
  }

  file(root: Value, workflow: Value): Plan {
    if (root === workflow) return this.workflow();
    const inside = (value: Value): Plan => {
      if (value === workflow) return this.workflow();
      return noted('file', LEFT);
    };
    const owner = { ...this.owners.file, note: fileNotes('file') };
    return members('file', (_key, value) => inside(value), { owner });
  }

  private workflow(): Plan {
    return members('file', (key) => this.topLevel(String(key)), { owner: this.owners.file });
  }

  private topLevel(key: string): Plan {
    const reason = MEANINGLESS.get(key);
    if (reason !== undefined) return whole('setting', () => none(reason));
    if (DESCRIBING.has(key)) return noted('file', KEPT);
    switch (key) {
      case 'nodes':
        return members('node', (index) => this.node(Number(index)));
      case 'connections':
        return this.connections();
      case 'settings':
        return settingsPlan(this.ledger);
      case 'meta':
        return metaPlan();
      default:
        return noted('file', KEPT);
    }
  }

  private node(index: number): Plan {
    const node = this.scene.doc.nodes[index];
    return node === undefined ? noted('node', LEFT) : this.plans.plan(node);
  }

  private resolve(name: string | undefined): N8nNode | undefined {
    return name === undefined ? undefined : (this.byName.get(name) ?? this.byId.get(name));
  }

  private connections(): Plan {
    return members('output', (name) => {
      const source = this.resolve(String(name));
      return members('output', (type) =>
        members('output', (port) =>
          members('output', (_i, link) => this.link(source, String(type), Number(port), link)),
        ),
      );
    });
  }

  private wire(source: N8nNode, port: number, target: N8nNode): Wire {
    const label = outputLabel(source, port, this.scene);
    const names = label === null ? [String(port)] : [label, String(port)];
    const passes = leadsFlow(source, port, target, this.scene);
    return { source: source.id, target: target.id, names, passes };
  }

  private link(source: N8nNode | undefined, type: string, port: number, link: Value): Plan {
    const name = link instanceof Map ? textOf(link.get('node')) : textOf(link);
    const target = this.resolve(name);
    const isFlow = type === 'main';
    const label = `${source?.name ?? '?'} → ${target?.name ?? name ?? '?'}`;
    const facts = { label: isFlow ? label : `${label} (${type})` };
    if (source === undefined || target === undefined) {
      return whole('output', () => this.unread(source), facts);
    }
    const draft = isFlow
      ? this.ledger.edgeOf(source.id, port, target.id, inputOf(link))
      : undefined;
    if (draft !== undefined) {
      return whole('output', () => ({ fate: 'carried', form: 'translated', draft }), facts);
    }
    if (isFlow) {
      const wire = this.wire(source, port, target);
      this.wires ??= this.wiring();
      const { wires } = this;
      return whole('output', () => wires.decide(wire), facts);
    }
    return whole('attachment', () => this.attachment(source, target, type), facts);
  }

  /** A connection that could not be read was mended, and its repair says so. */
  private unread(source: N8nNode | undefined): Verdict {
    const id = source?.id ?? 'connections';
    const cards = this.ledger.cardsOf(id, ['source_repaired']);
    return cards.length > 0 ? { fate: 'told', cards } : LEFT;
  }

  private attachment(source: N8nNode, target: N8nNode, type: string): Verdict {
    const cards = this.ledger.cardsOf(source.id);
    const draft =
      type === 'ai_tool'
        ? this.offered(source, target)
        : this.plans.attachedAt({ source, type, port: 0, target, index: 0 })[0];
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
    const told = cards.length > 0 ? cards : this.ledger.cardsOf(target.id);
    if (told.length > 0) return { fate: 'told', cards: told };
    const detail = `"${source.name}" is attached to "${target.name}" (${type}) in the source; the draft does not hold that.`;
    return {
      fate: 'told',
      cards: [this.ledger.tell({ ref: source.ref, kind: 'proprietary_node', detail })],
    };
  }

  /** Where the draft offers a tool to an agent. */
  private offered(source: N8nNode, target: N8nNode) {
    const tool = this.ledger.placesOf(source.id).find((place) => place.parent?.key === 'tools');
    for (const agent of this.ledger.placesOf(target.id)) {
      const place = agent.below('tools').below('include');
      const names = this.ledger.at(place);
      if (tool !== undefined && Array.isArray(names) && names.includes(tool.key)) return place;
    }
    return undefined;
  }

  private wired(node: N8nNode): WiredElement {
    const isEntry = this.scene.roles.get(node.id)?.role === 'entry';
    return { ref: node.ref, isEntry, isOff: node.disabled };
  }
}

/** What the ledger needs to know of an n8n export. */
export function n8nOutline(root: Value, scene: Scene): Outline {
  const workflow = workflowOf(root) ?? root;
  const name = textOf(at(workflow, 'name')) ?? '';
  const label = name === '' || secretsInText(name).length > 0 ? 'Workflow' : name;
  const nodes = new Map(scene.doc.nodes.map((node) => [node.id, node]));
  return {
    root,
    source: 'n8n',
    refOf: (id) => nodes.get(id)?.ref ?? { source_id: id, source_label: id, locator: '$' },
    file: { source_id: 'workflow:settings', source_label: label, locator: '$.settings' },
    headOf: (id) => {
      const node = nodes.get(id);
      const head: JsonObject = {};
      if (node !== undefined) {
        setOwn(head, 'type', node.type);
        setOwn(head, 'version', node.version);
      }
      return head;
    },
    plan: (ledger) => new Document(ledger, scene, label).file(root, workflow),
  };
}
