import type { Connection, Loss } from '../graph-ir.ts';
import type { DifyNode } from './document.ts';
import { singleReference } from './roles.ts';

/** What the question "is this answer the last text of the run" needs to know. */
export interface AnswerScene {
  readonly nodes: ReadonlyMap<string, DifyNode>;
  readonly connections: readonly Connection[];
  readonly entries: readonly string[];
  /** Branches and nodes with a failure output. */
  readonly choosers: readonly string[];
  readonly isBranch: (id: string) => boolean;
  /** Steps whose text can be the answer as it stands. */
  readonly isSpeaker: (id: string) => boolean;
}

interface Walks {
  readonly from: ReadonlyMap<string, readonly Connection[]>;
  readonly to: ReadonlyMap<string, readonly Connection[]>;
}

function index(connections: readonly Connection[]): Walks {
  const from = new Map<string, Connection[]>();
  const to = new Map<string, Connection[]>();
  for (const connection of connections) {
    from.set(connection.source, [...(from.get(connection.source) ?? []), connection]);
    to.set(connection.target, [...(to.get(connection.target) ?? []), connection]);
  }
  return { from, to };
}

function reach(walks: Walks, starts: readonly string[], without?: string): Set<string> {
  const seen = new Set(starts.filter((id) => id !== without));
  const queue = [...seen];
  for (let i = 0; i < queue.length; i += 1) {
    for (const { target } of walks.from.get(queue[i] ?? '') ?? []) {
      if (seen.has(target) || target === without) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return seen;
}

/** What a chooser decides: the elements only it leads to, and what each output leads to. */
interface Choice {
  readonly reachedWithout: ReadonlySet<string>;
  readonly byOutput: readonly ReadonlySet<string>[];
  readonly returns: boolean;
}

function choiceOf(scene: AnswerScene, walks: Walks, chooser: string): Choice {
  const targets = new Map<number, string[]>();
  for (const { position, target } of walks.from.get(chooser) ?? []) {
    targets.set(position, [...(targets.get(position) ?? []), target]);
  }
  const byOutput = [...targets.values()].map((list) => reach(walks, list));
  return {
    reachedWithout: reach(walks, scene.entries, chooser),
    byOutput,
    returns: byOutput.some((set) => set.has(chooser)),
  };
}

function separates(choice: Choice, a: string, b: string): boolean {
  if (choice.returns || choice.reachedWithout.has(a) || choice.reachedWithout.has(b)) return false;
  return !choice.byOutput.some((set) => set.has(a) && set.has(b));
}

function passesOn(node: DifyNode, scene: AnswerScene, walks: Walks): string | undefined {
  const reference = singleReference(node.data.get('answer'));
  const before = new Set((walks.to.get(node.id) ?? []).map((c) => c.source));
  const [only, ...more] = before;
  if (only === undefined || more.length > 0 || walks.from.has(node.id)) return undefined;
  if (!scene.isSpeaker(only)) return undefined;
  return reference === `${only}.text` ? only : undefined;
}

function isLast(
  node: DifyNode,
  before: string,
  scene: AnswerScene,
  walks: Walks,
  answers: readonly DifyNode[],
  choices: readonly Choice[],
): boolean {
  const later = reach(
    walks,
    (walks.from.get(before) ?? []).map((c) => c.target),
  );
  for (const id of later) {
    if (id !== node.id && !scene.isBranch(id)) return false;
  }
  const reachable = reach(walks, scene.entries);
  return answers.every(
    (other) =>
      other === node ||
      !reachable.has(other.id) ||
      choices.some((choice) => separates(choice, node.id, other.id)),
  );
}

/** Answers that are not simply the last text of the run (importers 5.6). */
export function answerLosses(scene: AnswerScene): Loss[] {
  const walks = index(scene.connections);
  const answers = [...scene.nodes.values()].filter((node) => node.type === 'answer');
  const choices = scene.choosers.map((chooser) => choiceOf(scene, walks, chooser));
  const out: Loss[] = [];
  for (const node of answers) {
    const isPlain = singleReference(node.data.get('answer')) !== undefined;
    if (!isPlain || !walks.to.has(node.id)) continue;
    const before = passesOn(node, scene, walks);
    const carried = before !== undefined && isLast(node, before, scene, walks, answers, choices);
    if (carried) continue;
    const detail = `"${node.title}" answers with a text that is not the last one of the run.`;
    out.push({ ref: node.ref, kind: 'output_formatting_not_carried', detail });
  }
  return out;
}
