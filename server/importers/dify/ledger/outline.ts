import type { JsonObject } from '../../../kernel/json.ts';
import { secretsInText } from '../../../kernel/secrets-in-text.ts';
import type { SourceRef } from '../../analysis.ts';
import type { ItemFlow } from '../../graph-ir.ts';
import type { TextReading } from '../../ledger/claims.ts';
import type { LedgerReason } from '../../ledger/ledger.ts';
import type { Outline } from '../../ledger/outline.ts';
import { Owners } from '../../ledger/owners.ts';
import { DRAFT, type Place } from '../../ledger/place.ts';
import {
  DataPlan,
  EMPTY,
  isEmptyLeaf,
  KEPT,
  LEFT,
  members,
  none,
  noted,
  whole,
} from '../../ledger/plans.ts';
import type { LedgerScene } from '../../ledger/scene.ts';
import type { Plan } from '../../ledger/survey.ts';
import { type Wire, type WiredElement, Wires } from '../../ledger/wires.ts';
import { at, textOf, type Value } from '../../value.ts';
import type { DifyDocument, DifyEdge, DifyNode } from '../document.ts';
import { isOn } from '../features.ts';
import { APP_CLAIMS, NODE_CLAIMS } from './claims.ts';
import { appRule, NodeRules, type Rule } from './rules.ts';

const VARIABLE = /\{\{(?:#[^{}]*#|[A-Za-z_]\w{0,29})\}\}/;
const ENTRIES = /^(?:start|trigger-.*|iteration-start|loop-start)$/;
const LOOKS = 'position positionAbsolute width height zIndex viewport'.split(' ');
const EDITOR =
  'selected dragging sourcePosition targetPosition draggable selectable resizing type extent style hidden'.split(
    ' ',
  );
const MEANINGLESS: ReadonlyMap<string, LedgerReason> = new Map<string, LedgerReason>([
  ['id', 'element_id'],
  ...LOOKS.map((key): [string, LedgerReason] => [key, 'canvas_position']),
  ...EDITOR.map((key): [string, LedgerReason] => [key, 'editor_only']),
]);
const APP_LOOKS: ReadonlySet<string> = new Set([
  'icon',
  'icon_background',
  'icon_type',
  'use_icon_as_answer_icon',
]);

function readTemplate(text: string): TextReading {
  const pieces = text.split(new RegExp(VARIABLE, 'g'));
  return { pieces, computed: pieces.length > 1 };
}

/** The steps of a flow of items fill the names in their texts when they run. */
function readWhole(text: string): TextReading {
  return { pieces: [text], computed: false };
}

/** The texts around names that the draft has in other words. */
function readPieces(text: string): TextReading {
  return { pieces: readTemplate(text).pieces, computed: false };
}

function appPlan(): Plan {
  return members('file', (key) =>
    APP_LOOKS.has(String(key)) ? whole('file', () => none('colour')) : noted('file', KEPT),
  );
}

function wireOf({ source, target, handle }: DifyEdge): Wire | undefined {
  if (source === null || target === null) return undefined;
  return { source, target, names: handle === null ? [] : [handle], passes: true };
}

class Document {
  private readonly ledger: LedgerScene;
  private readonly doc: DifyDocument;
  private readonly owners: Owners;
  private readonly wires: Wires;
  /** Set for a flow of items. */
  private readonly items: ItemFlow | undefined;

  constructor(ledger: LedgerScene, doc: DifyDocument, items: ItemFlow | undefined) {
    this.ledger = ledger;
    this.doc = doc;
    this.items = items;
    this.owners = new Owners(ledger, doc.name, 'file');
    const wires = doc.edges.flatMap((edge) => wireOf(edge) ?? []);
    const elements = new Map(
      doc.nodes.map((node): [string, WiredElement] => {
        const isEntry = ENTRIES.test(node.type);
        return [node.id, { ref: node.ref, isEntry, isOff: false }];
      }),
    );
    this.wires = new Wires(ledger, elements, wires);
  }

  file(): Plan {
    return members('file', (key) => this.topLevel(String(key)), { owner: this.owners.file });
  }

  private topLevel(key: string): Plan {
    switch (key) {
      case 'app':
        return appPlan();
      case 'kind':
      case 'version':
        return whole('file', () => none('format_version'));
      case 'workflow':
        return members('setting', (inner) => this.workflow(String(inner)));
      case 'model_config':
        return this.doc.config.size === 0 ? noted('file', KEPT) : this.config();
      default:
        return noted('file', KEPT);
    }
  }

  private workflow(key: string): Plan {
    switch (key) {
      case 'graph':
        return members('node', (inner) => this.graph(String(inner)));
      case 'features':
        return members('setting', (name) => this.feature(String(name)));
      case 'environment_variables':
      case 'conversation_variables':
        return members('setting', (index, value) => {
          const variable = this.variable(key, Number(index));
          if (variable !== undefined) return variable;
          const name = textOf(at(value, 'name'));
          const label = `${key}.${name ?? '?'}`;
          return whole('setting', (item) => (isEmptyLeaf(item) ? EMPTY : LEFT), { label });
        });
      default:
        return noted('setting', LEFT);
    }
  }

  /** A variable of the app that the flow of a draft has. */
  private variable(list: string, index: number): Plan | undefined {
    const place = DRAFT.at(['metadata', 'flow', list]).below(index);
    const json = this.items && this.ledger.at(place);
    if (json === undefined) return undefined;
    const ground = {
      ...this.ground(`env:${index}`),
      what: 'setting' as const,
      places: [],
      rule: (key: string) => (key === 'value' ? undefined : KEPT),
    };
    return new DataPlan(ground, undefined, { mirror: { json, place } });
  }

  private feature(key: string): Plan {
    return whole('setting', (value) => {
      if (isEmptyLeaf(value)) return EMPTY;
      const cards = this.ledger.cardsOf(`feature:${key}`);
      if (cards.length > 0) return { fate: 'noted', cards };
      return isOn(key, value) ? LEFT : none('unused');
    });
  }

  private graph(key: string): Plan {
    if (key === 'nodes') return members('node', (index) => this.node(Number(index)));
    if (key === 'edges') return members('output', (index) => this.edge(Number(index)));
    return key === 'viewport'
      ? whole('node', () => none('canvas_position'))
      : noted('setting', KEPT);
  }

  private edge(index: number): Plan {
    const edge = this.doc.edges[index];
    const title = (id: string | null | undefined): string =>
      this.doc.nodes.find((node) => node.id === id)?.title ?? '?';
    const label = `${title(edge?.source)} → ${title(edge?.target)}`;
    return whole(
      'output',
      () => {
        const cards = this.ledger.cardsOf(`edge:${index}`);
        if (cards.length > 0) return { fate: 'told', cards };
        const draft = edge && this.edgeOf(edge);
        if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
        const wire = edge === undefined ? undefined : wireOf(edge);
        return wire === undefined ? LEFT : this.wires.decide(wire);
      },
      { label },
    );
  }

  /** Where a flow of items has a wire. */
  private edgeOf({ source, target, handle }: DifyEdge): Place | undefined {
    const wire = this.items?.wires.find(
      (one) => one.source === source && one.target === target && (one.label ?? 'source') === handle,
    );
    return wire && this.ledger.edgeOf(wire.source, wire.output, wire.target, wire.input);
  }

  private node(index: number): Plan {
    const node = this.doc.nodes[index];
    if (node === undefined) return noted('node', LEFT);
    const section = node.isNote ? 'notes' : 'elements';
    const owner = this.owners.of(node.id, node.title, section);
    const rules = new NodeRules(this.ledger, node, this.doc);
    const member = (key: string): Plan => {
      const reason = MEANINGLESS.get(key);
      if (reason !== undefined) return whole('node', () => none(reason));
      if (key === 'parentId') return whole('node', () => rules.contained());
      if (key !== 'data') return noted('node', KEPT);
      return node.isNote ? noted('note', KEPT) : this.data(node, rules.rule);
    };
    return members('node', (key) => member(String(key)), { owner });
  }

  private data(node: DifyNode, rule: Rule): Plan {
    const entry = this.ledger.entryOf(node.id);
    const own = this.ledger.placesOf(node.id);
    const [first] = own;
    const mirror =
      this.mirror(entry?.below('parameters')) ??
      this.mirror(first?.at(['input_schema', 'default']));
    const places = entry === undefined ? own : [...own, entry];
    const read = entry === undefined ? readTemplate : readWhole;
    const ground = { ...this.ground(node.id), places, read, rule };
    return new DataPlan(ground, NODE_CLAIMS, { mirror });
  }

  private mirror(place: Place | undefined) {
    const json = place && this.ledger.at(place);
    return place === undefined || json === undefined ? undefined : { json, place };
  }

  private ground(id: string) {
    return {
      what: 'parameter' as const,
      scene: this.ledger,
      read: readTemplate,
      computed: this.ledger.cardsOf(id, ['expression', 'run_input'], 'prompt'),
      secrets: this.ledger.cardsOf(id, ['inline_secret']),
    };
  }

  private config(): Plan {
    const owner = this.owners.of('model_config', this.doc.name);
    const places = this.ledger.placesOf('model_config');
    const rule = appRule(this.doc.config, this.ledger);
    const entry = this.items && this.ledger.entryOf('model_config');
    const read = entry === undefined ? readTemplate : readPieces;
    const all = entry === undefined ? places : [...places, entry];
    const ground = { ...this.ground('model_config'), places: all, read, rule };
    const mirror = this.mirror(this.ledger.entryOf('app')?.below('parameters'));
    return new DataPlan(ground, APP_CLAIMS, { owner, mirror });
  }
}

/** What the ledger needs to know of a Dify app. */
export function difyOutline(root: Value, doc: DifyDocument, items?: ItemFlow): Outline {
  const nodes = new Map(doc.nodes.map((node) => [node.id, node]));
  const label = secretsInText(doc.name).length > 0 ? 'App' : doc.name;
  const config: SourceRef = {
    source_id: 'model_config',
    source_label: doc.name,
    locator: '$.model_config',
  };
  return {
    root,
    source: 'dify',
    file: { source_id: 'workflow:settings', source_label: label, locator: '$.workflow' },
    refOf: (id) => nodes.get(id)?.ref ?? config,
    headOf: (id) => {
      const node = nodes.get(id);
      const head: JsonObject = {};
      if (node !== undefined) head['type'] = node.isNote ? 'note' : node.type;
      return head;
    },
    plan: (ledger) => new Document(ledger, doc, items).file(),
  };
}
