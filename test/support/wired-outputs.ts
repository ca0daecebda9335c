import type { Analysis } from '../../server/importers/analysis.ts';
import { isObject } from '../../server/kernel/json.ts';

// Follows every wired output of an n8n export to the steps behind it, and looks for the way in the
// draft, or for a gap that names it. It reads the export and the draft only.

interface Link {
  readonly from: string;
  readonly port: number;
  readonly to: string;
}

/** What an edge of the draft may say about one output passed. */
interface Passed {
  readonly port: number;
  readonly mayBeSilent: boolean;
}

interface Way {
  readonly routers: readonly string[];
  readonly passed: readonly Passed[];
  readonly to: string;
}

interface Place {
  readonly workflow: string;
  readonly id: string;
}

interface Step extends Place {
  readonly kind: unknown;
  readonly ref: unknown;
}

interface Next {
  readonly place: Place;
  readonly label: string;
}

const MOST_WAYS = 300;
/** Gaps of a model that stands in the flow, and of an element with outputs that it does not have. */
const MODEL = /is connected to the flow; a model is no step/;
const DROPPED = /outputs that its type does not have/;
const CUT_OFF = /does not lead to|No trigger of the source/;

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The export as its author wired it: nodes by the ids that the draft uses. */
class Source {
  readonly links = new Map<string, Link[]>();
  readonly disabled = new Set<string>();
  readonly labels = new Map<string, string>();

  constructor(raw: string, { canvas, gaps }: Analysis) {
    const models = new Set(
      gaps.filter((gap) => MODEL.test(gap.detail)).map((gap) => gap.source_ref.source_id),
    );
    const root: unknown = JSON.parse(raw);
    const nodes = list(member(root, 'nodes'));
    const byName = new Map<string, string>();
    for (const [index, node] of canvas.nodes.entries()) {
      const name = text(member(nodes[index], 'name'));
      if (name !== '' && !byName.has(name)) byName.set(name, node.source_id);
      this.labels.set(node.source_id, node.label);
      if (node.disabled) this.disabled.add(node.source_id);
    }
    const connections = member(root, 'connections');
    if (!isObject(connections)) return;
    for (const [name, buckets] of Object.entries(connections)) {
      const from = byName.get(name);
      const ports = list(member(buckets, 'main'));
      if (from === undefined) continue;
      for (const [port, targets] of ports.entries()) {
        for (const link of list(targets)) {
          const to = byName.get(text(isObject(link) ? member(link, 'node') : link));
          if (to === undefined || models.has(from) || models.has(to)) continue;
          if (this.disabled.has(from) && port > 0) continue;
          this.links.set(from, [...(this.links.get(from) ?? []), { from, port, to }]);
        }
      }
    }
  }

  /** True when an edge need not name the output: the element has no other that leads anywhere. */
  private mayBeSilent(id: string): boolean {
    const ports = new Set((this.links.get(id) ?? []).map(({ port }) => port));
    return this.disabled.has(id) || ports.size <= 1;
  }

  /** The ways from an element to the next steps, over everything that is none. */
  waysFrom(start: string, isStep: (id: string) => boolean): Way[] {
    const out: Way[] = [];
    const walk = (at: string, routers: string[], passed: Passed[]): void => {
      for (const { port, to } of this.links.get(at) ?? []) {
        if (out.length >= MOST_WAYS) return;
        const on = [...passed, { port, mayBeSilent: this.mayBeSilent(at) }];
        if (isStep(to)) out.push({ routers: [...routers, at], passed: on, to });
        else if (to !== start && !routers.includes(to) && to !== at) walk(to, [...routers, at], on);
      }
    };
    walk(start, [], []);
    return out;
  }
}

/** The workflows of a draft and what follows what in them. */
class Draft {
  readonly steps: Step[] = [];
  private readonly bodies = new Map<string, unknown>();
  private readonly callers = new Map<string, Place[]>();

  constructor({ spec }: Analysis) {
    this.bodies.set('', spec['workflow']);
    const workflows = member(spec['components'], 'workflows');
    if (isObject(workflows)) {
      for (const [name, body] of Object.entries(workflows)) this.bodies.set(name, body);
    }
    for (const [workflow, body] of this.bodies) {
      for (const step of this.stepsOf(body)) {
        const id = text(member(step, 'id'));
        const made: Step = { workflow, id, kind: member(step, 'kind'), ref: member(step, 'ref') };
        this.steps.push(made);
        if (made.kind !== 'workflow') continue;
        const ref = text(made.ref);
        this.callers.set(ref, [...(this.callers.get(ref) ?? []), made]);
      }
    }
  }

  /** The places of a step and of its copies. */
  placesOf(id: string): Step[] {
    const own = this.steps.filter((step) => step.id === id);
    const isCopy = (step: Step): boolean =>
      own.some((o) => o.ref === step.ref && o.kind === step.kind && step.id.startsWith(`${o.id}_`));
    return [...own, ...this.steps.filter((step) => !own.includes(step) && isCopy(step))];
  }

  /** What comes after a place: by its edges, or after the workflow that it ends. */
  after({ workflow, id }: Place, depth = 0): Next[] {
    const body = this.bodies.get(workflow);
    const out: Next[] = [];
    if (member(body, 'type') === 'graph') {
      for (const edge of list(member(body, 'edges'))) {
        if (member(edge, 'from') !== id) continue;
        const place = { workflow, id: text(member(edge, 'to')) };
        out.push({ place, label: text(member(edge, 'label')) });
      }
    } else if (member(body, 'type') === 'sequential') {
      const ids = this.stepsOf(body).map((step) => text(member(step, 'id')));
      const next = ids[ids.indexOf(id) + 1];
      if (next !== undefined) out.push({ place: { workflow, id: next }, label: '' });
    }
    if (depth > 30) return out;
    return [
      ...out,
      ...(this.callers.get(workflow) ?? []).flatMap((at) => this.after(at, depth + 1)),
    ];
  }

  /** Every place that a run may come to from a place, itself included. */
  reach(start: Place): Place[] {
    const out = [start];
    const seen = new Set([`${start.workflow}\n${start.id}`]);
    const add = (place: Place): void => {
      const key = `${place.workflow}\n${place.id}`;
      if (!seen.has(key)) out.push(place);
      seen.add(key);
    };
    for (const place of out) {
      for (const next of this.after(place)) add(next.place);
      const step = this.steps.find((s) => s.workflow === place.workflow && s.id === place.id);
      if (step?.kind === 'workflow') for (const first of this.firstsOf(text(step.ref))) add(first);
    }
    return out;
  }

  /** Where a workflow begins. */
  firstsOf(workflow: string): Place[] {
    const body = this.bodies.get(workflow);
    if (member(body, 'type') === 'graph') return [{ workflow, id: text(member(body, 'start')) }];
    const ids = this.stepsOf(body).map((step) => text(member(step, 'id')));
    const first = member(body, 'type') === 'concurrent' ? ids : ids.slice(0, 1);
    return first.map((id) => ({ workflow, id }));
  }

  private stepsOf(body: unknown): unknown[] {
    const nodes = member(body, 'nodes');
    if (isObject(nodes)) return Object.values(nodes);
    return [...list(member(body, 'steps')), ...list(member(body, 'participants'))];
  }
}

function fits(label: string, passed: readonly Passed[]): boolean {
  const parts = label === '' ? [] : label.split('/');
  const match = (at: number, part: number): boolean => {
    const step = passed[at];
    if (step === undefined) return part === parts.length;
    if (step.mayBeSilent && match(at + 1, part)) return true;
    const word = parts[part];
    return (word === String(step.port) || word === 'error') && match(at + 1, part + 1);
  };
  return match(0, 0);
}

/** Wired outputs that neither a way of the draft nor a gap accounts for. */
export function lostOutputs(raw: string, analysis: Analysis): string[] {
  const source = new Source(raw, analysis);
  const draft = new Draft(analysis);
  const stepOf = new Map(analysis.canvas.nodes.map((node) => [node.source_id, node.spec_ref]));
  const isStep = (id: string): boolean => (stepOf.get(id) ?? null) !== null;
  const dropping = new Set(
    analysis.gaps.filter((gap) => DROPPED.test(gap.detail)).map((gap) => gap.source_ref.source_id),
  );
  const told = (from: string, to: string): boolean =>
    analysis.gaps.some(
      ({ source_ref, detail }) =>
        source_ref.source_id === from && detail.includes(`"${source.labels.get(to) ?? ''}"`),
    );
  const isCutOff = (id: string): boolean =>
    analysis.gaps.some((gap) => gap.source_ref.source_id === id && CUT_OFF.test(gap.detail));
  const reaches = (start: Place, to: string): boolean => {
    const wanted = draft.placesOf(to);
    const reached = draft.reach(start);
    return wanted.some((w) => reached.some((p) => p.workflow === w.workflow && p.id === w.id));
  };
  // Where all of it runs one after the other, steps follow each other without the outputs' names.
  const isOrdered = analysis.gaps.some((gap) => gap.detail.includes('runs one after the other'));
  const isThere = (from: string, { passed, to }: Way): boolean =>
    draft
      .placesOf(stepOf.get(from) ?? '')
      .flatMap((place) => draft.after(place))
      .filter(({ label }) => fits(label, passed) || (isOrdered && label === ''))
      .some(({ place }) => reaches(place, stepOf.get(to) ?? ''));
  const lost: string[] = [];
  for (const from of source.links.keys()) {
    if (!isStep(from) || isCutOff(from)) continue;
    for (const way of source.waysFrom(from, isStep)) {
      if (way.routers.some((id) => dropping.has(id)) || dropping.has(way.to)) continue;
      if (isThere(from, way) || told(from, way.to) || isCutOff(way.to)) continue;
      const ports = way.passed.map(({ port }) => port).join('/');
      lost.push(`${source.labels.get(from)} -${ports}-> ${source.labels.get(way.to)}`);
    }
  }
  return lost;
}
