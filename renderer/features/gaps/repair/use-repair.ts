import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { type RepairOffer, repairOffers } from '../../../../server/gaps/estate/repairs.ts';
import type { FixResult, FixValues } from '../../../../server/gaps/fixes/fix-types.ts';
import { useStore } from '../../../ui/store.ts';
import { dirtyDraftsStore } from '../../../workbench/dirty-drafts.ts';
import { askDraft } from '../draft/draft-client.ts';
import {
  hindranceOf,
  type Outcome,
  type RepairDraft,
  type RepairFile,
  type RepairRow,
  targetsOf,
} from './repair-model.ts';
import { forEachOf, readRepairDraft } from './repair-queries.ts';

const TYPING_MS = 300;
const NO_DRAFTS: ReadonlyMap<string, RepairDraft> = new Map();
const NO_RESULTS: ReadonlyMap<string, FixResult> = new Map();

/** A repair as it is filled in: its drafts, the edit proposed for each, and what was saved. */
export interface Repair {
  /** How many drafts are read yet. */
  readonly read: number;
  readonly total: number;
  readonly error: unknown;
  readonly offers: readonly RepairOffer[];
  readonly offer: RepairOffer | undefined;
  readonly values: FixValues;
  /** The drafts that the edit fits. */
  readonly rows: readonly RepairRow[];
  /** Drafts that only an edit of the text can answer. */
  readonly unfit: readonly RepairDraft[];
  choose(fix: string): void;
  fill(name: string, value: string): void;
  /** What became of edits; undefined takes back what was said. */
  setOutcomes(outcomes: ReadonlyMap<string, Outcome | undefined>): void;
  /** Reads drafts anew. */
  reread(refs: readonly string[]): Promise<void>;
}

/** What was chosen the last time, to begin with. */
export interface RepairStart {
  readonly fix: string;
  readonly values: FixValues;
}

function useDrafts(projectId: string, files: readonly RepairFile[], causeId: string) {
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const [read, setRead] = useState(0);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    setDrafts(NO_DRAFTS);
    setRead(0);
    setError(undefined);
    forEachOf(files, controller.signal, async (row) => {
      const draft = await readRepairDraft(projectId, row, causeId);
      if (!controller.signal.aborted) {
        setRead((count) => count + 1);
        setDrafts((now) => (draft === undefined ? now : new Map(now).set(draft.ref, draft)));
      }
    }).catch((problem: unknown) => {
      if (!controller.signal.aborted) {
        setError(problem);
      }
    });
    return () => controller.abort();
  }, [projectId, files, causeId]);
  const reread = async (refs: readonly string[]): Promise<void> => {
    const fresh = new Map<string, RepairDraft>();
    const wanted = files.filter(({ draft }) => refs.includes(draft));
    await forEachOf(wanted, undefined, async (file) => {
      const draft = await readRepairDraft(projectId, file, causeId);
      if (draft !== undefined) {
        fresh.set(draft.ref, draft);
      }
    });
    setDrafts((now) => new Map([...now, ...fresh]));
  };
  return { drafts, read, error, reread };
}

/** The edits of all drafts, made one after the other while nothing changes. */
function useResults(
  drafts: readonly RepairDraft[],
  offer: RepairOffer | undefined,
  values: FixValues,
): ReadonlyMap<string, FixResult> {
  const [results, setResults] = useState(NO_RESULTS);
  useEffect(() => {
    const controller = new AbortController();
    setResults(NO_RESULTS);
    if (offer !== undefined) {
      void forEachOf(drafts, controller.signal, async (draft) => {
        const targets = targetsOf(draft, offer);
        const request = { text: draft.text, file: draft.ref, fix: offer.fix, values, targets };
        const result = targets.length === 0 ? undefined : await askDraft('fix', request);
        if (result !== undefined && !controller.signal.aborted) {
          setResults((now) => new Map(now).set(draft.ref, result));
        }
      });
    }
    return () => controller.abort();
  }, [drafts, offer, values]);
  return results;
}

/** One answer for many drafts: read, offered, filled in, previewed for each. */
export function useRepair(
  projectId: string,
  files: readonly RepairFile[],
  causeId: string,
  start: RepairStart | undefined,
): Repair {
  const { drafts, read, error, reread } = useDrafts(projectId, files, causeId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [filled, setFilled] = useState<Readonly<Record<string, FixValues>>>({});
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const unsaved = useStore(dirtyDraftsStore);
  const whole = read === files.length;
  const all = useMemo(() => {
    const refs = new Set(whole ? files.map(({ draft }) => draft) : []);
    return [...refs].flatMap((ref) => drafts.get(ref) ?? []);
  }, [whole, files, drafts]);
  const offers = useMemo(() => repairOffers(all), [all]);
  const offer =
    offers.find(({ fix }) => fix === chosen) ??
    offers.find(({ fix }) => fix === start?.fix) ??
    offers[0];
  const values = useMemo(() => {
    const initial = Object.fromEntries((offer?.fields ?? []).map((f) => [f.name, f.initial]));
    const before = offer !== undefined && offer.fix === start?.fix ? start.values : {};
    return { ...initial, ...before, ...(offer === undefined ? {} : filled[offer.fix]) };
  }, [offer, start, filled]);
  const [settled] = useDebouncedValue(values, TYPING_MS);
  const results = useResults(all, offer, settled);
  const rows = useMemo(
    () =>
      all
        .filter(({ ref }) => offer?.gaps.has(ref) === true)
        .map((draft): RepairRow => {
          const result = values === settled ? results.get(draft.ref) : undefined;
          const open = unsaved.has(`${projectId}\n${draft.ref}`);
          return {
            draft,
            result,
            outcome: outcomes.get(draft.ref),
            hindrance: hindranceOf(draft, result, open),
          };
        }),
    [all, offer, results, values, settled, outcomes, unsaved, projectId],
  );
  return {
    read,
    total: files.length,
    error,
    offers,
    offer,
    values,
    rows,
    unfit: all.filter(({ ref }) => offer?.gaps.has(ref) !== true),
    choose: setChosen,
    fill: (name, value) => {
      if (offer !== undefined) {
        setFilled((now) => ({ ...now, [offer.fix]: { ...values, [name]: value } }));
      }
    },
    setOutcomes: (made) =>
      setOutcomes(
        (now) =>
          new Map(
            [...now, ...made].flatMap(([ref, outcome]) =>
              outcome === undefined ? [] : [[ref, outcome] as const],
            ),
          ),
      ),
    reread,
  };
}
