import { useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { notifyDone, notifyError, notifyHint } from '../../ui/notify.tsx';
import { composeStore } from '../../workbench/compose-request.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import { attestHindrance, type GapCard, type GapContext, isOpen } from './gap-model.ts';
import { acknowledge, adjudicate, type DraftAt, storeDraftText } from './gap-queries.ts';
import type { Links } from './links.ts';

export type SettleEvent = 'attest' | 'retract' | 'acknowledge';

/** Several gaps to be settled at once, once the author has confirmed it. */
export interface SettleRequest {
  readonly event: SettleEvent;
  readonly cards: readonly GapCard[];
}

/** A change that can be taken back. */
interface Undoable {
  readonly what: string;
  undo(): Promise<void>;
}

/** An edit that was stored: what it was, and how the draft read before. */
export interface StoredEdit {
  readonly what: string;
  readonly draft: DraftAt;
  readonly before: string;
}

export interface GapActions {
  readonly busy: boolean;
  /** Waits for the author's confirmation; null when nothing does. */
  readonly settling: SettleRequest | null;
  /** The gaps that an edit is being prepared for. */
  readonly fixing: readonly GapCard[] | null;
  /** The edit that is chosen at first; null for the first that fits. */
  readonly fixingBy: string | null;
  /** What `undo` would take back; null when there is nothing. */
  readonly undoes: string | null;
  acknowledge(cards: readonly GapCard[]): void;
  attest(cards: readonly GapCard[]): void;
  retract(cards: readonly GapCard[]): void;
  fix(cards: readonly GapCard[], by?: string): void;
  /** Settles one gap; the dialog calls it for each. Nothing is read again until `settled`. */
  settle(event: SettleEvent, card: GapCard): Promise<void>;
  /** The dialog is done with these gaps. */
  settled(event: SettleEvent, cards: readonly GapCard[]): Promise<void>;
  stored(edit: StoredEdit): void;
  close(): void;
  undo(): void;
  openEditor(card: GapCard): void;
  /** Opens the dialog that makes an artifact of the draft. */
  createArtifact(): void;
}

const DONE = {
  attest: t('Attested'),
  retract: t('Retracted'),
  acknowledge: t('Acknowledged'),
} as const;

/** The gaps among these that the event fits, or why there are none. */
export function settleable(
  event: SettleEvent,
  cards: readonly GapCard[],
  context: GapContext,
): readonly GapCard[] | string {
  if (event === 'retract') {
    const own = cards.filter(({ standing }) => standing === 'attested');
    return context.rank ?? (own.length > 0 ? own : t('Nothing is attested here.'));
  }
  const severity = event === 'attest' ? 'blocking' : 'manual';
  const own = cards.filter((card) => card.gap.severity === severity && isOpen(card));
  if (own.length === 0) {
    return event === 'attest'
      ? t('No blocking gap is open here.')
      : t('No gap to review is open here.');
  }
  if (event === 'attest') {
    return attestHindrance(context) ?? own;
  }
  return context.artifact === undefined
    ? t('Gaps to review are acknowledged for an artifact, and the draft has none yet.')
    : own;
}

/** The draft at the revision that is seen; undefined while it has none. */
export function draftAt({ draft }: GapContext): DraftAt | undefined {
  return draft?.revision === undefined || draft.revision === null
    ? undefined
    : { path: draft.path, revision: draft.revision };
}

function textOf(cards: readonly GapCard[]): string {
  const [first] = cards;
  return cards.length === 1 && first !== undefined
    ? first.gap.title
    : t('{count, plural, one {# gap} other {# gaps}}', { count: cards.length });
}

/** What can be done with gaps; what does not fit says so and does nothing. */
export function useGapActions(projectId: string, context: GapContext, links: Links): GapActions {
  const [waiting, setWaiting] = useState(0);
  const queue = useRef(Promise.resolve());
  const underWay = useRef(new Set<string>());
  const [settling, setSettling] = useState<SettleRequest | null>(null);
  const [fixing, setFixing] = useState<readonly GapCard[] | null>(null);
  const [fixingBy, setFixingBy] = useState<string | null>(null);
  const [last, setLast] = useState<Undoable | null>(null);
  const { draft, artifact } = context;
  const at = draftAt(context);

  const settle = async (event: SettleEvent, card: GapCard): Promise<void> => {
    if (event === 'acknowledge') {
      if (artifact !== undefined) await acknowledge(projectId, artifact.id, card.gap);
    } else if (at !== undefined) {
      await adjudicate(projectId, card.gap, at, event);
    }
  };
  const settled = async (event: SettleEvent, cards: readonly GapCard[]): Promise<void> => {
    const what = `${DONE[event]}: ${textOf(cards)}`;
    writeOutput({ level: 'info', message: what });
    if (event === 'acknowledge') {
      setLast(null);
    } else if (at !== undefined && cards.length > 0) {
      const back = event === 'attest' ? 'retract' : 'attest';
      setLast({
        what,
        undo: async () => {
          for (const card of cards) await adjudicate(projectId, card.gap, at, back);
        },
      });
    }
    await invalidateAuthoring();
  };
  const run = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notifyError(t('Not done: {what}', { what }), error);
      await invalidateAuthoring();
    }
  };
  /** One after the other: who triages by keyboard is faster than the service. */
  const enqueue = (what: string, work: () => Promise<void>): void => {
    setWaiting((count) => count + 1);
    queue.current = queue.current
      .then(() => run(what, work))
      .finally(() => setWaiting((count) => count - 1));
  };
  const begin = (event: SettleEvent, cards: readonly GapCard[]): void => {
    const fitting = settleable(event, cards, context);
    const [only, second] = typeof fitting === 'string' ? [] : fitting;
    if (typeof fitting === 'string') {
      notifyHint(fitting);
    } else if (only !== undefined && second === undefined) {
      const key = `${event} ${only.gap.ref.gap_id}`;
      if (underWay.current.has(key)) {
        return;
      }
      underWay.current.add(key);
      enqueue(`${event} ${only.gap.title}`, async () => {
        try {
          await settle(event, only);
          await settled(event, [only]);
        } finally {
          underWay.current.delete(key);
        }
      });
    } else {
      setSettling({ event, cards: fitting });
    }
  };
  return {
    busy: waiting > 0,
    settling,
    fixing,
    fixingBy,
    undoes: last?.what ?? null,
    acknowledge: (cards) => begin('acknowledge', cards),
    attest: (cards) => begin('attest', cards),
    retract: (cards) => begin('retract', cards),
    fix: (cards, by) => {
      setFixingBy(by ?? null);
      setFixing(cards.length > 0 && draft !== undefined ? cards : null);
    },
    settle,
    settled,
    stored: ({ what, draft: stored, before }) => {
      setFixing(null);
      notifyDone(what);
      setLast({
        what,
        undo: async () => {
          await storeDraftText(projectId, stored, before);
        },
      });
    },
    close: () => {
      setSettling(null);
      setFixing(null);
    },
    undo: () => {
      if (last === null) {
        notifyHint(t('Nothing to take back. Acknowledgements stay on record.'));
        return;
      }
      enqueue(t('take back: {what}', { what: last.what }), async () => {
        setLast(null);
        await last.undo();
        notifyDone(t('Taken back: {what}', { what: last.what }));
        await invalidateAuthoring();
      });
    },
    openEditor: (card) => {
      if (draft !== undefined) {
        const place = links.placeOf.get(card.gap.source_ref.source_id)?.path;
        const path = place ?? card.gap.spec_ref ?? undefined;
        navigateTo(paths.draft(projectId, draft.path, { path }));
      }
    },
    createArtifact: () => {
      if (at !== undefined) {
        composeStore.set({
          projectId,
          baseRef: at.path,
          baseRevision: at.revision,
          onCreated: ({ id }) =>
            navigateTo(
              paths.gaps(projectId, context.analysis.analysis_id, { ref: at.path, artifact: id }),
              { replace: true },
            ),
        });
      }
    },
  };
}
