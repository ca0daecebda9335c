import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import { splitTemplate } from '../../expressions/split-template.ts';
import type { ClaimTree, TextReading } from '../../ledger/claims.ts';
import { decisionVerdict, textsUnder } from '../../ledger/decisions.ts';
import type { LedgerReason } from '../../ledger/ledger.ts';
import type { Owners } from '../../ledger/owners.ts';
import type { Place } from '../../ledger/place.ts';
import {
  DataPlan,
  decided,
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
import type { Plan, Verdict } from '../../ledger/survey.ts';
import type { Value } from '../../value.ts';
import { AGENT_TYPE, readsChatInput } from '../agents.ts';
import { BASE, LANGCHAIN, type N8nLink, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { CLAIMS, CLAIMS_OF_TYPE } from '../extended/claims.ts';
import type { Scene } from '../scene.ts';
import { notePlan } from './note-plan.ts';

/** Where in its agent an attached element stands. */
const EVIDENCE: Readonly<Record<string, string>> = {
  ai_languageModel: 'model',
  ai_memory: 'memory',
  ai_outputParser: 'system_prompt',
};
const RUN_SETTINGS: ReadonlySet<string> = new Set(
  'onError continueOnFail retryOnFail maxTries waitBetweenTries alwaysOutputData executeOnce'.split(
    ' ',
  ),
);
const RETRY_SETTINGS: ReadonlySet<string> = new Set(['maxTries', 'waitBetweenTries']);
/** Where the step of a flow of items has them. */
const ENTRY_MEMBERS: Readonly<Record<string, string>> = {
  onError: 'on_error',
  continueOnFail: 'on_error',
  retryOnFail: 'retry',
  maxTries: 'retry',
  waitBetweenTries: 'retry',
  alwaysOutputData: 'always_output',
  executeOnce: 'execute_once',
};
const STEP_MEMBERS: Readonly<Record<string, string>> = {
  onError: 'on_error',
  continueOnFail: 'on_error',
  retryOnFail: 'on_error',
  maxTries: 'max_retries',
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DECISIONS: ReadonlySet<string> = new Set([`${BASE}if`, `${BASE}switch`]);
const OPERANDS: ReadonlySet<string> = new Set(['rightValue', 'value2']);
const ANSWER = ['respondWith', 'responseBody', 'redirectURL'];
const FORM_END = ['respondWith', 'completionTitle', 'completionMessage', 'redirectUrl'];
/** Settings that the cards of elements which only pass flow on quote (`n8n/extended/passing.ts`). */
const QUOTED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [`${BASE}respondToWebhook`, new Set(ANSWER)],
  [`${BASE}form`, new Set([...FORM_END, 'responseText'])],
  [`${LANGCHAIN}chat`, new Set(['message'])],
  [`${BASE}stopAndError`, new Set(['errorMessage', 'errorObject'])],
]);
const SHOWS_CONNECTOR: ReadonlySet<string> = new Set(['hasOutputParser', 'needsFallback']);

function readTemplate(text: string): TextReading {
  const reading = readText(text);
  if (!reading.computed) return { pieces: [reading.text], computed: false };
  const parts = splitTemplate(reading.text);
  const pieces = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return { pieces, computed: true };
}

function noiseOf(key: string, value: Value, beside: Value): LedgerReason | undefined {
  const isLocator = beside instanceof Map && beside.has('__rl');
  if (key === '__rl' || key === 'cachedResultName' || key === 'cachedResultUrl') {
    return 'display_cache';
  }
  if (isLocator && key === 'mode') return 'display_cache';
  if (key === 'id' && typeof value === 'string' && UUID.test(value)) return 'element_id';
  return SHOWS_CONNECTOR.has(key) ? 'editor_only' : undefined;
}

/** Members of a node as the steps of a flow of items have them. */
const ENTRY_KEYS: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  typeVersion: 'version',
  credentials: 'credentials',
  disabled: 'disabled',
};

const CREDENTIAL_ID = whole('credential', () => none('element_id'), { label: 'credential id' });
const OTHER = noted('setting', KEPT);
const OTHER_ID = decided('setting', none('element_id'));
/** Members of a node that are the same for all of them. */
const FIXED: ReadonlyMap<string, Plan> = new Map([
  ['id', decided('node', none('element_id'))],
  ['position', decided('node', none('canvas_position'))],
  ['color', decided('node', none('colour'))],
  ['notesInFlow', decided('node', none('editor_only'))],
  ['notes', noted('note', KEPT)],
]);

/** What is claimed of an element by the part of the draft that it became, the first that there is. */
const CLAIMS_AT: readonly (readonly [string, ClaimTree])[] = [
  ['model', CLAIMS.model],
  ['memory', CLAIMS.memory],
  ['system_prompt', CLAIMS.parser],
  ['tools', CLAIMS.tool],
  ['agents', CLAIMS.call],
  ['humans', CLAIMS.human],
  ['workflows', CLAIMS.called],
];

/** What the step of an element is in a flow of items, and where the draft says so. */
interface Entry {
  readonly place: Place;
  readonly json: JsonObject;
}

/** An element, and what is known of it before its members are looked at. */
interface About {
  readonly node: N8nNode;
  /** The first place that is its own. */
  readonly own: Place | undefined;
  readonly places: readonly Place[];
  /** Its cards. */
  readonly told: readonly number[];
  readonly entry: Entry | undefined;
}

/** How the nodes of an export are accounted for. */
export class NodePlans {
  private readonly ledger: LedgerScene;
  private readonly scene: Scene;
  private readonly owners: Owners;

  constructor(ledger: LedgerScene, scene: Scene, owners: Owners) {
    this.ledger = ledger;
    this.scene = scene;
    this.owners = owners;
  }

  /** Places of an element in the draft; of an attached one, its part of what it is attached to. */
  placesOf(node: N8nNode, seen = new Set<string>()): readonly Place[] {
    const own = this.ledger.placesOf(node.id);
    if (own.length > 0 || seen.has(node.id)) return own;
    seen.add(node.id);
    const links = this.scene.attachmentsFrom.get(node.id) ?? [];
    return links.flatMap((link) => this.attachedAt(link, seen));
  }

  /** Where the draft has an attachment: as a part of what it is attached to. */
  attachedAt({ source, type, target }: N8nLink, seen = new Set<string>()): readonly Place[] {
    const member = EVIDENCE[type];
    if (member === undefined || !this.isCarried(source)) return [];
    const places = this.placesOf(target, seen).map((place) =>
      place.key === member ? place : place.below(member),
    );
    return places.filter((place) => this.ledger.at(place) !== undefined);
  }

  /** True unless a card says that an attached element did not come over. */
  isCarried(node: N8nNode): boolean {
    const lost = [
      'proprietary_node',
      'ambiguous_binding',
      'expression',
      'memory',
      'external_service',
    ];
    return !node.disabled && this.ledger.cardsOf(node.id, lost).length === 0;
  }

  plan(node: N8nNode): Plan {
    const role = this.scene.roles.get(node.id);
    const isNote = role?.role === 'note';
    const owner = this.owners.of(node.id, node.name, isNote ? 'notes' : 'elements');
    const own = this.ledger.placesOf(node.id);
    const about: About = {
      node,
      own: own[0],
      places: own.length > 0 ? own : this.placesOf(node),
      told: this.ledger.cardsOf(node.id),
      entry: this.entryOf(node.id),
    };
    return members('node', (key, value) => this.member(String(key), value, about), { owner });
  }

  private entryOf(id: string): Entry | undefined {
    const place = this.ledger.entryOf(id);
    if (place === undefined) return undefined;
    const json = this.ledger.at(place);
    return { place, json: isJsonObject(json) ? json : {} };
  }

  private member(key: string, value: Value, about: About): Plan {
    const fixed = FIXED.get(key);
    if (fixed !== undefined) return fixed;
    if (RUN_SETTINGS.has(key)) return decided('setting', this.runSetting(key, value, about));
    const ofEntry = this.entryMember(key, value, about);
    if (ofEntry !== undefined) return ofEntry;
    const { node, told } = about;
    switch (key) {
      case 'webhookId':
        return this.scene.roles.get(node.id)?.role === 'entry' ? OTHER : OTHER_ID;
      case 'name':
      case 'type':
        return decided('node', this.identity(key, value, about));
      case 'typeVersion':
        return decided('node', this.version(value, about));
      case 'disabled': {
        const isTold = value === true && told.length > 0;
        return decided('setting', isTold ? { fate: 'told', cards: told } : none('source_default'));
      }
      case 'credentials':
        return this.credentials();
      case 'parameters':
        return this.parameters(about);
      default:
        return OTHER;
    }
  }

  /** A member that the step of a flow of items has as the source has it. */
  private entryMember(key: string, value: Value, { entry, told }: About): Plan | undefined {
    const name = ENTRY_KEYS[key];
    if (entry === undefined || name === undefined) return undefined;
    const json = Object.hasOwn(entry.json, name) ? entry.json[name] : undefined;
    if (json === undefined) return undefined;
    const draft = entry.place.below(name);
    if (key === 'credentials') return this.credentials(draft);
    const like = this.ledger.like(value, json, key);
    const form = like === 'other' ? 'translated' : like;
    if (key !== 'disabled') return decided('node', { fate: 'carried', form, draft });
    const cards = told.length > 0 ? { cards: told } : {};
    return decided('setting', { fate: 'carried', form, draft, ...cards });
  }

  private identity(key: 'name' | 'type', value: Value, { own: place, told }: About): Verdict {
    if (place === undefined) return told.length > 0 ? { fate: 'told', cards: told } : LEFT;
    const own = place.at(['input_schema', key === 'name' ? 'title' : 'x-source-type']);
    const like = this.ledger.like(value, this.ledger.at(own), key);
    if (like !== 'other') return { fate: 'carried', form: like, draft: own };
    return { fate: 'carried', form: 'translated', draft: place };
  }

  /** Which rules its settings follow: a function keeps that beside them, anything else was read by it. */
  private version(value: Value, { own: place }: About): Verdict {
    const draft = place?.at(['input_schema', 'x-source-version']);
    const isKept = draft !== undefined && this.ledger.at(draft) === value;
    return isKept ? { fate: 'carried', form: 'same', draft } : none('format_version');
  }

  /** `names` is where the draft has them by their type. */
  private credentials(names?: Place): Plan {
    const inside = (type: string, key: string | number): Plan => {
      if (key === 'id') return CREDENTIAL_ID;
      const draft = key === 'name' ? names?.below(type) : undefined;
      return whole('credential', (value) => {
        if (isEmptyLeaf(value)) return EMPTY;
        const like = draft && this.ledger.like(value, this.ledger.at(draft), '');
        const isCarried = draft !== undefined && like !== undefined && like !== 'other';
        return isCarried ? { fate: 'carried', form: like, draft } : KEPT;
      });
    };
    return members('credential', (type) => ({
      what: 'credential',
      decide: (value) => (value instanceof Map && value.size > 0 ? undefined : KEPT),
      child: (key) => inside(String(type), key),
    }));
  }

  private runSetting(key: string, value: Value, { node, told, entry }: About): Verdict {
    if (value === false || value === 'stopWorkflow') return none('source_default');
    if (isEmptyLeaf(value)) return none('empty');
    if (node.disabled && told.length > 0) return { fate: 'noted', cards: told };
    const isUnused = RETRY_SETTINGS.has(key) && !node.retryOnFail;
    return isUnused ? none('unused') : this.ofStep(key, node, entry);
  }

  /** Where the step has a run-time setting, or which card tells it. */
  private ofStep(key: string, node: N8nNode, own: Entry | undefined): Verdict {
    const cards = this.ledger.cardsOf(node.id, undefined, 'run');
    const entry = own?.place.below(ENTRY_MEMBERS[key] ?? '');
    if (entry !== undefined && this.ledger.at(entry) !== undefined) {
      return { fate: 'carried', form: 'translated', draft: entry, cards };
    }
    const draft = this.stepMember(node, STEP_MEMBERS[key]);
    if (draft !== undefined) return { fate: 'carried', form: 'translated', draft, cards };
    return cards.length > 0 ? { fate: 'told', cards } : LEFT;
  }

  private stepMember(node: N8nNode, member: string | undefined): Place | undefined {
    const runs = this.ledger.runsOf(node.id);
    if (runs === undefined || member === undefined) return undefined;
    const places = this.ledger.flow.places(runs).map((place) => place.below(member));
    return places.find((place) => this.ledger.at(place) !== undefined);
  }

  private parameters({ node, places, told, entry: own }: About): Plan {
    const role = this.scene.roles.get(node.id)?.role;
    const entry = own?.place;
    const mirror =
      this.mirror(entry?.below('parameters')) ??
      this.mirror(places[0]?.at(['input_schema', 'default']));
    if (entry === undefined && role === 'deactivated') {
      return noted('parameter', { fate: 'noted', cards: told });
    }
    if (role === 'note' && mirror === undefined) return notePlan();
    const ground = {
      what: 'parameter' as const,
      scene: this.ledger,
      places: entry === undefined ? places : [...places, entry],
      read: readTemplate,
      computed: this.ledger.cardsOf(node.id, ['expression', 'run_input'], 'prompt'),
      secrets: this.ledger.cardsOf(node.id, ['inline_secret']),
      rule: (key: string, value: Value, beside: Value) => this.rule(node, key, value, beside),
    };
    const plan = new DataPlan(ground, this.claimsOf(node, places), { mirror });
    if (mirror !== undefined) return plan;
    const branch = this.decision(node);
    if (branch === undefined) return plan;
    return noted('parameter', branch);
  }

  private mirror(place: Place | undefined) {
    const json = place && this.ledger.at(place);
    return place === undefined || json === undefined ? undefined : { json, place };
  }

  private rule(node: N8nNode, key: string, value: Value, beside: Value): Verdict | undefined {
    if ((key === 'workflowId' || key === 'workflowJson') && beside === node.parameters) {
      const cards = this.ledger.cardsOf(node.id, ['subworkflow', 'carried_as']);
      const fate = key === 'workflowId' ? 'noted' : 'told';
      if (cards.length > 0) return { fate, cards };
    }
    if (key === 'role' && value === 'system') return this.systemRole(node);
    const reason = this.isUnread(key, node, beside) ? 'unused' : noiseOf(key, value, beside);
    return reason === undefined ? this.quoted(node, key, beside) : none(reason);
  }

  /** What a message of the system says stands in the system prompt; its role says no more. */
  private systemRole(node: N8nNode): Verdict | undefined {
    const [place] = this.ledger.placesOf(node.id);
    const draft = place?.below('system_prompt');
    const isThere = draft !== undefined && this.ledger.at(draft) !== undefined;
    return isThere ? { fate: 'carried', form: 'translated', draft } : undefined;
  }

  /** A setting that the card of the element quotes. */
  private quoted(node: N8nNode, key: string, beside: Value): Verdict | undefined {
    if (beside !== node.parameters || QUOTED.get(node.type)?.has(key) !== true) return undefined;
    const cards = this.ledger.cardsOf(node.id, ['carried_as']);
    return cards.length > 0 ? { fate: 'noted', cards } : undefined;
  }

  /** What became of the rules of a decision that has no step. */
  private decision(node: N8nNode): Verdict | undefined {
    if (!DECISIONS.has(node.type)) return undefined;
    const literal = (text: string): string => {
      const reading = readText(text);
      return reading.computed ? '' : reading.text;
    };
    const operands = textsUnder(node.parameters, OPERANDS, literal);
    return decisionVerdict(node.id, operands, this.ledger);
  }

  /** A prompt of its own that an agent has although it takes the chat's. */
  private isUnread(key: string, node: N8nNode, beside: Value): boolean {
    const isText = key === 'text' && beside === node.parameters;
    return isText && node.type === AGENT_TYPE && readsChatInput(node);
  }

  private claimsOf(node: N8nNode, places: readonly Place[]): ClaimTree | undefined {
    const own = CLAIMS_OF_TYPE.get(node.type);
    if (own !== undefined) return own;
    const isAt = (name: string): boolean =>
      places.some(({ key, parent }) => key === name || parent?.key === name);
    return CLAIMS_AT.find(([name]) => isAt(name))?.[1];
  }
}
