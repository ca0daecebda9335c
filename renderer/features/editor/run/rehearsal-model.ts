import { z } from 'zod';
import { t } from '../../../../preload/texts/t.ts';
import type {
  Rehearsal,
  RehearsalAnswer,
} from '../../../../server/contract/platform/rehearsals.ts';
import { isJsonObject, type JsonObject } from '../../../../server/kernel/json.ts';
import type { FieldPath } from '../../../../server/spec/reports/read-fields.ts';
import { isAt } from '../../../../server/spec/reports/replaceable-parts.ts';
import type { StandIn } from '../spec-protocol.ts';

/** How a step or tool is answered in a rehearsal; `run` carries it out. */
export type AnswerChoice = 'run' | RehearsalAnswer['by'];

/** What the author says of one step or tool. */
const answerDraft = z.object({
  choice: z.enum(['run', 'pinned', 'mocked', 'recorded']),
  /** Stated items as they were typed. */
  text: z.string(),
  recording: z.string(),
});
export type AnswerDraft = z.infer<typeof answerDraft>;

/** What is kept beside the input of a draft. */
const keptRehearsal = z.object({ on: z.boolean(), answers: z.record(z.string(), answerDraft) });
export type KeptRehearsal = z.infer<typeof keptRehearsal>;

/** A step or tool in the list, and why it is there. */
export interface RehearsalNeed {
  readonly part: StandIn;
  /** In words; empty for one that the author put there. */
  readonly why: string;
  /** A run without an answer is refused. */
  readonly blocking: boolean;
  /** What the source pins on it. */
  readonly pinned: readonly JsonObject[];
}

const WHY: Readonly<Record<string, string>> = {
  E_HANDLER_NOT_FOUND: t('no code'),
  E_HANDLER_UNTRUSTED: t('code of a folder that is not trusted'),
  W_CREDENTIAL_UNBOUND: t('credential not bound'),
  W_MODEL_OFFLINE: t('no model answers'),
};

interface Finding {
  readonly code: string;
  readonly path: string | null;
}

/** One id for steps and tools. */
export function partId({ kind, key }: Pick<StandIn, 'kind' | 'key'>): string {
  return `${kind}:${key}`;
}

/** What the source pins, by the key of the step or tool. */
export type PinnedByKey = Readonly<Record<string, readonly JsonObject[]>>;

function needOf(part: StandIn, findings: readonly Finding[], pinned: PinnedByKey): RehearsalNeed {
  const own = findings.filter(
    ({ code, path }) => Object.hasOwn(WHY, code) && path !== null && isAt(path, part.places),
  );
  const [first] = own.toSorted((a, b) => a.code.localeCompare(b.code));
  return {
    part,
    why: first === undefined ? '' : (WHY[first.code] ?? ''),
    blocking: own.some(({ code }) => code.startsWith('E_')),
    pinned: pinned[part.key] ?? [],
  };
}

/** The steps and tools that need an answer, those that the author answers for, and all others. */
export function needsIn(
  parts: readonly StandIn[],
  findings: readonly Finding[],
  pinned: PinnedByKey,
  answers: KeptRehearsal['answers'],
): { readonly needs: readonly RehearsalNeed[]; readonly others: readonly RehearsalNeed[] } {
  const all = parts.map((part) => needOf(part, findings, pinned));
  const isListed = ({ part, why }: RehearsalNeed): boolean =>
    why !== '' || Object.hasOwn(answers, partId(part));
  return { needs: all.filter(isListed), others: all.filter((need) => !isListed(need)) };
}

/** The first proposal: what is pinned, else one empty item; what runs anyhow runs. */
export function proposed({ pinned, blocking, why }: RehearsalNeed): AnswerDraft {
  const choice = pinned.length > 0 ? 'pinned' : blocking || why === '' ? 'mocked' : 'run';
  return { choice, text: '[{}]', recording: '' };
}

/** The items of a text, or why it holds none. */
export function itemsIn(text: string): readonly JsonObject[] | string {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.every(isJsonObject) ? list : t('Write one JSON object, or a list of objects.');
  } catch (error) {
    return t('This is not valid JSON: {detail}.', {
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

const RECORDING_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** A platform takes 32 KiB of metadata beside the input. */
const MOST = 30_000;
const MOST_PINNED = 8_000;

/** As many pinned items as can be sent. */
export function sentOf(pinned: readonly JsonObject[]): readonly JsonObject[] {
  let size = 0;
  const end = pinned.findIndex((item) => {
    size += JSON.stringify(item).length;
    return size > MOST_PINNED;
  });
  return end === -1 ? pinned : pinned.slice(0, Math.max(1, end));
}

/** The answer that goes with the run; undefined for what runs, a text for what is wrong. */
export function answerOf(
  need: RehearsalNeed,
  draft: AnswerDraft,
): RehearsalAnswer | string | undefined {
  switch (draft.choice) {
    case 'run':
      return undefined;
    case 'pinned':
      return { by: 'pinned', items: [...sentOf(need.pinned)] };
    case 'recorded':
      return RECORDING_NAME.test(draft.recording)
        ? { by: 'recorded', recording: draft.recording }
        : t('Name a recording of the project.');
    case 'mocked': {
      const items = itemsIn(draft.text);
      return typeof items === 'string' ? items : { by: 'mocked', items: [...items] };
    }
  }
}

/** What is sent with a run, or why it cannot be. */
export function rehearsalWith(
  needs: readonly RehearsalNeed[],
  answers: KeptRehearsal['answers'],
): Rehearsal | string {
  const made: Rehearsal = { steps: {}, tools: {} };
  for (const need of needs) {
    const answer = answerOf(need, answers[partId(need.part)] ?? proposed(need));
    if (typeof answer === 'string') return `${need.part.name}: ${answer}`;
    if (answer !== undefined)
      made[need.part.kind === 'step' ? 'steps' : 'tools'][need.part.key] = answer;
  }
  return JSON.stringify(made).length > MOST
    ? t('The answers take more than 30,000 characters: state fewer items.')
    : made;
}

function withField(item: JsonObject, path: FieldPath): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return item;
  const inner = item[name];
  if (rest.length === 0) return { ...item, [name]: inner ?? '' };
  return {
    ...item,
    [name]: withField(inner !== undefined && isJsonObject(inner) ? inner : {}, rest),
  };
}

/** Stated items with a field that later steps read, empty where it was not there. */
export function withReadField(text: string, path: FieldPath): string {
  const items = itemsIn(text);
  const list = typeof items === 'string' || items.length === 0 ? [{}] : items;
  return JSON.stringify(
    list.map((item) => withField(item, path)),
    null,
    2,
  );
}

/** Reads what was kept; nothing of what cannot be read. */
export function readKept(text: string | null): KeptRehearsal {
  try {
    return keptRehearsal.parse(JSON.parse(text ?? ''));
  } catch {
    return { on: false, answers: {} };
  }
}
