import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { ApiError } from '../../data/api-error.ts';
import { fileName } from '../../data/draft-names.ts';
import { notifyError } from '../../ui/notify.tsx';
import { markDirty } from '../../workbench/dirty-drafts.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { findKeptBuffer, keepBuffer } from './buffer-store.ts';
import {
  type DraftBuffer,
  edit,
  failSave,
  finishSave,
  isDirty,
  observe,
  openBuffer,
  resolve,
  revert,
  startSave,
} from './draft-buffer.ts';
import { draftQuery, fetchDraft, saveDraft } from './draft-queries.ts';

export interface DraftSession {
  readonly buffer: DraftBuffer | null;
  /** Text that came from elsewhere and replaces what the editor shows. */
  readonly adopted: string | null;
  readonly query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };
  type(text: string): void;
  save(): Promise<boolean>;
  /** Bases `text` on their version; `save` then stores it. */
  decide(text: string): void;
  discard(): string;
  /** The revision that the text grew from, as of this call. */
  revision(): string;
  /** The buffer as of this call, which may be newer than the last drawing. */
  current(): DraftBuffer | null;
}

/** The buffer of one draft: read, typed, kept across reloads, saved with its revision. */
export function useDraftBuffer(projectId: string, ref: string): DraftSession {
  const query = useQuery(draftQuery(projectId, ref));
  const [buffer, setBuffer] = useState<DraftBuffer | null>(null);
  const [adopted, setAdopted] = useState<string | null>(null);
  const latest = useRef<DraftBuffer | null>(null);
  const update = useCallback(
    (next: DraftBuffer) => {
      latest.current = next;
      setBuffer(next);
      markDirty(projectId, ref, isDirty(next) || next.theirs !== null);
    },
    [projectId, ref],
  );
  const server = query.data;
  useEffect(() => {
    if (server !== undefined) {
      const version = { text: server.text, revision: server.revision };
      const current = latest.current;
      if (current === null) {
        update(openBuffer(version, findKeptBuffer(projectId, ref)));
        return;
      }
      const next = observe(current, version);
      update(next);
      if (next.text !== current.text) {
        setAdopted(next.text);
      }
    }
  }, [server, update, projectId, ref]);
  useKeeping(projectId, ref, buffer, latest);
  const type = useCallback(
    (text: string) => {
      if (latest.current !== null) {
        update(edit(latest.current, text));
      }
    },
    [update],
  );
  const running = useRef(Promise.resolve(true));
  const save = useCallback(() => {
    // Pressed while a save is under way, it saves what was typed meanwhile.
    running.current = running.current.then(() =>
      latest.current === null ? false : store(projectId, ref, latest, update),
    );
    return running.current;
  }, [projectId, ref, update]);
  const decide = useCallback(
    (text: string) => {
      if (latest.current !== null) {
        update(resolve(latest.current, text));
      }
    },
    [update],
  );
  const discard = useCallback(() => {
    if (latest.current === null) {
      return '';
    }
    const next = revert(latest.current);
    update(next);
    return next.text;
  }, [update]);
  const revision = useCallback(() => latest.current?.base.revision ?? '', []);
  const current = useCallback(() => latest.current, []);
  return { buffer, adopted, revision, current, query, type, save, decide, discard };
}

const KEEP_MS = 250;

/** Writes unsaved text away soon after it changes, and at once when the page goes. */
function useKeeping(
  projectId: string,
  ref: string,
  buffer: DraftBuffer | null,
  latest: { readonly current: DraftBuffer | null },
): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A running timer is not put off, so that somebody who types without a pause loses no more than
    // this.
    if (buffer !== null && timer.current === undefined) {
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (latest.current !== null) {
          keepBuffer(projectId, ref, latest.current);
        }
      }, KEEP_MS);
    }
  }, [projectId, ref, buffer, latest]);
  useEffect(() => {
    const keepNow = (leaving: boolean): void => {
      clearTimeout(timer.current);
      timer.current = undefined;
      if (latest.current !== null) {
        keepBuffer(projectId, ref, latest.current, leaving);
      }
    };
    const onLeave = (): void => keepNow(true);
    window.addEventListener('pagehide', onLeave);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      keepNow(false);
    };
  }, [projectId, ref, latest]);
}

/** Saves what the buffer holds; true when the studio has it. A stale revision becomes a conflict. */
async function store(
  projectId: string,
  ref: string,
  latest: { current: DraftBuffer | null },
  update: (buffer: DraftBuffer) => void,
): Promise<boolean> {
  const before = latest.current;
  if (before === null || before.saving !== null || before.theirs !== null) {
    return false;
  }
  if (!isDirty(before)) {
    return true;
  }
  update(startSave(before));
  try {
    const revision = await trackWork(
      t('Saving {file}', { file: fileName(ref) }),
      saveDraft(projectId, ref, before.text, before.base.revision),
    );
    if (latest.current !== null) {
      update(finishSave(latest.current, revision));
    }
    // The status bar says it too; a toast on every save would lie over it.
    writeOutput({ level: 'info', message: t('Saved {file}', { file: fileName(ref) }) });
    return true;
  } catch (error) {
    update(failSave(latest.current ?? before));
    if (error instanceof ApiError && error.code === 'draft_stale') {
      await meetTheirs(projectId, ref, latest, update);
    } else {
      notifyError(t('{file} was not saved', { file: fileName(ref) }), error);
    }
    return false;
  }
}

async function meetTheirs(
  projectId: string,
  ref: string,
  latest: { current: DraftBuffer | null },
  update: (buffer: DraftBuffer) => void,
): Promise<void> {
  try {
    const theirs = await fetchDraft(projectId, ref);
    if (latest.current !== null) {
      update(observe(latest.current, theirs));
    }
  } catch (error) {
    notifyError(
      t('{file} changed elsewhere and could not be read', { file: fileName(ref) }),
      error,
    );
  }
}
