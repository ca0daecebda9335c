import { z } from 'zod';
import { type LiveAnswer, liveAnswer } from '../../contract/platform/run-stream.ts';

// How what models say goes from the node that executes a run to those that others follow it at: what was
// added alone, in words that PostgreSQL sends at once. A word may be lost; the next ones are then of no
// use, and the reader says that it begins anew.

/** Below the 8000 bytes of a word, with room for who says it. */
const MOST_BYTES = 7_800;

const piece = liveAnswer.omit({ transient: true }).extend({
  run_id: z.string(),
  /** Number of the piece in its answer; one at which the text begins anew is 0. */
  at: z.number(),
  /** The text stands so many characters into the answer, and what stood there before goes. */
  from: z.number(),
  /** More of the same moment follows. */
  more: z.boolean(),
});
const pieces = z.array(piece);
type Piece = z.output<typeof piece>;

interface Told {
  readonly runId: string;
  readonly answer: LiveAnswer;
}

const keyOf = (runId: string, callId: string): string => `${runId} ${callId}`;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Characters that both begin with. */
function sharedStart(one: string, two: string): number {
  const most = Math.min(one.length, two.length);
  let at = 0;
  while (at < most && one[at] === two[at]) at += 1;
  return at;
}

/** The longest beginning of a text that takes at most so many bytes as JSON. */
function fitting(text: string, room: number): string {
  let part = text.slice(0, room);
  for (let bytes = bytesOf(part); bytes > room && part !== ''; bytes = bytesOf(part)) {
    part = part.slice(0, Math.floor((part.length * room) / bytes));
  }
  return part;
}

/** Puts small pieces together into words. */
function packed(all: readonly Piece[]): string[] {
  const words: string[] = [];
  let word: Piece[] = [];
  for (const one of all) {
    if (word.length > 0 && bytesOf([...word, one]) > MOST_BYTES) {
      words.push(JSON.stringify(word));
      word = [];
    }
    word.push(one);
  }
  if (word.length > 0) words.push(JSON.stringify(word));
  return words;
}

/** What a node has said of the answers that its models give at this moment. */
export class SaidAnswers {
  readonly #said = new Map<string, { readonly at: number; readonly text: string }>();

  /** The words that take readers from what was said before to these answers. */
  words(told: readonly Told[]): string[] {
    return packed(told.flatMap(({ runId, answer }) => this.#piecesOf(runId, answer)));
  }

  /** The next of every answer of the run is told from its beginning. */
  forget(runId: string): void {
    const start = keyOf(runId, '');
    for (const key of [...this.#said.keys()]) if (key.startsWith(start)) this.#said.delete(key);
  }

  #piecesOf(runId: string, answer: LiveAnswer): Piece[] {
    const { transient: _transient, text, ...rest } = answer;
    const key = keyOf(runId, answer.call_id);
    const before = this.#said.get(key);
    if (before?.text === text && !answer.done) return [];
    const head = { ...rest, run_id: runId };
    let from = before === undefined || answer.done ? 0 : sharedStart(before.text, text);
    let at = before === undefined || from === 0 ? 0 : before.at + 1;
    const room = MOST_BYTES - bytesOf([{ ...head, at, from, more: false, text: '' }]) - 32;
    // Names that leave no room for a text: whoever reads gets it when it is stored.
    if (room < 64) return [];
    const made: Piece[] = [];
    do {
      const part = fitting(text.slice(from), room);
      const more = from + part.length < text.length;
      made.push({ ...head, at, from, more, text: part });
      from += part.length;
      at += 1;
    } while (from < text.length);
    if (answer.done) this.#said.delete(key);
    else this.#said.set(key, { at: at - 1, text });
    return made;
  }
}

/** What a node has heard of answers that other nodes' models give at this moment. */
export class HeardAnswers {
  readonly #heard = new Map<string, { readonly at: number; readonly text: string }>();

  /**
   * Reads one word of another node; gives the answers as they are now, and the runs of which something
   * was lost. What another version says in another form is not understood, and nothing of it is told.
   */
  read(word: string, isWanted: (runId: string) => boolean): { told: Told[]; lost: Set<string> } {
    const told: Told[] = [];
    const lost = new Set<string>();
    for (const one of readPieces(word)) {
      if (!isWanted(one.run_id)) continue;
      const answer = this.#add(one);
      if (answer === 'lost') lost.add(one.run_id);
      else if (!one.more) told.push({ runId: one.run_id, answer });
    }
    return { told, lost };
  }

  forget(runId: string): void {
    const start = keyOf(runId, '');
    for (const key of [...this.#heard.keys()]) if (key.startsWith(start)) this.#heard.delete(key);
  }

  #add({ run_id, at, from, more: _more, text: added, ...rest }: Piece): LiveAnswer | 'lost' {
    const key = keyOf(run_id, rest.call_id);
    const before = at === 0 ? { at: -1, text: '' } : this.#heard.get(key);
    if (before === undefined || before.at + 1 !== at) {
      this.#heard.delete(key);
      return 'lost';
    }
    const text = before.text.slice(0, from) + added;
    if (rest.done) this.#heard.delete(key);
    else this.#heard.set(key, { at, text });
    return { transient: true, ...rest, text };
  }
}

function readPieces(word: string): Piece[] {
  try {
    return pieces.safeParse(JSON.parse(word)).data ?? [];
  } catch {
    return [];
  }
}
