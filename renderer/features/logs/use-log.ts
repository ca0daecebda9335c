import { useCallback, useEffect, useRef, useState } from 'react';
import type { DesktopApi, LogPage } from '../../../preload/desktop-api.ts';
import { type LogView, withEarlier, withLater } from './log-model.ts';

const FOLLOW_MS = 1_000;

interface Log {
  /** Undefined before the first page has come. */
  readonly view: LogView | undefined;
  readonly error: unknown;
  readonly isReading: boolean;
  readonly readEarlier: () => void;
  readonly readAgain: () => void;
}

/** The log of the program, page by page from its end; what is written meanwhile is added. */
export function useLog(api: DesktopApi, follow: boolean): Log {
  const [view, setView] = useState<LogView>();
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const busy = useRef(false);
  const read = useCallback(
    (ask: Promise<LogPage>, take: (before: LogView | undefined, page: LogPage) => LogView) => {
      busy.current = true;
      setReading(true);
      ask
        .then(
          (page) => {
            setError(undefined);
            setView((before) => take(before, page));
          },
          (failed: unknown) => setError(failed),
        )
        .finally(() => {
          busy.current = false;
          setReading(false);
        });
    },
    [],
  );
  const readLast = useCallback(
    () => read(api.logs({ before: null }), (_before, page) => page),
    [api, read],
  );
  useEffect(readLast, [readLast]);
  const end = view?.end;
  const failed = error !== undefined;
  useEffect(() => {
    if (!follow || end === undefined || failed) {
      return undefined;
    }
    const timer = setInterval(() => {
      if (!busy.current) {
        read(api.logs({ after: end }), (before, page) => {
          const isSame = before !== undefined && page.end === before.end;
          return isSame ? before : withLater(before ?? page, page);
        });
      }
    }, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [api, follow, end, failed, read]);
  const earlier = view?.earlier ?? null;
  const readEarlier = useCallback(() => {
    if (earlier !== null && !busy.current) {
      read(api.logs({ before: earlier }), (before, page) => withEarlier(before ?? page, page));
    }
  }, [api, earlier, read]);
  return { view, error, isReading, readEarlier, readAgain: readLast };
}
