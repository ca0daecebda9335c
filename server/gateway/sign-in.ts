import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';

/** How long links and sessions last, in milliseconds. */
export interface SignInLimits {
  /** An unused link. */
  readonly linkMs: number;
  /** A session without a request. */
  readonly idleMs: number;
  /** A session at all. */
  readonly lifeMs: number;
}

/** One-time links and the sessions they turn into; all of it ends with the process. */
export interface SignIn {
  /** A fresh code; each works once, for a while. */
  issueCode(): string;
  /** Turns a code into a session's secret; undefined for an unknown, used or old code. */
  redeem(code: string): string | undefined;
  /** True while the session lasts; asking counts as its use. */
  isSession(value: string): boolean;
  /** Ends a session and what `whileLasts` was told of. */
  end(value: string): void;
  /** Calls `close` when the session ends. The function that it returns cancels that. */
  whileLasts(value: string, close: () => void): () => void;
  /**
   * Ends sessions that have expired. A request is judged when it comes; an open stream is ended by
   * this.
   */
  sweep(): void;
}

interface Session {
  readonly createdAt: number;
  seenAt: number;
  readonly closers: Set<() => void>;
}

/** More outstanding links than a person asks for; the oldest goes first. */
const MAX_CODES = 100;
const MAX_SESSIONS = 1000;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const secret = () => randomBytes(32).toString('base64url');

function dropOldest<T>(map: Map<string, T>, most: number, drop: (key: string) => void): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    drop(key);
  }
}

/** Only digests are kept, so that a look at the memory's lists opens nothing. */
export function createSignIn(clock: Clock, limits: SignInLimits): SignIn {
  const codes = new Map<string, number>();
  const sessions = new Map<string, Session>();

  const endOf = (key: string): void => {
    const session = sessions.get(key);
    sessions.delete(key);
    for (const close of session?.closers ?? []) close();
  };
  const isOver = (session: Session, now: number): boolean =>
    now - session.seenAt > limits.idleMs || now - session.createdAt > limits.lifeMs;
  const live = (value: string): Session | undefined => {
    const key = digest(value);
    const session = sessions.get(key);
    if (session === undefined || !isOver(session, clock.now())) return session;
    endOf(key);
    return undefined;
  };

  return {
    issueCode() {
      const code = secret();
      codes.set(digest(code), clock.now());
      dropOldest(codes, MAX_CODES, (key) => codes.delete(key));
      return code;
    },
    redeem(code) {
      const key = digest(code);
      const issuedAt = codes.get(key);
      codes.delete(key);
      const now = clock.now();
      if (issuedAt === undefined || now - issuedAt > limits.linkMs) return undefined;
      const session = secret();
      sessions.set(digest(session), { createdAt: now, seenAt: now, closers: new Set() });
      dropOldest(sessions, MAX_SESSIONS, endOf);
      return session;
    },
    isSession(value) {
      const session = live(value);
      if (session !== undefined) session.seenAt = clock.now();
      return session !== undefined;
    },
    end: (value) => endOf(digest(value)),
    whileLasts(value, close) {
      const closers = live(value)?.closers;
      closers?.add(close);
      return () => closers?.delete(close);
    },
    sweep() {
      const now = clock.now();
      for (const [key, issuedAt] of codes) if (now - issuedAt > limits.linkMs) codes.delete(key);
      for (const [key, session] of sessions) if (isOver(session, now)) endOf(key);
    },
  };
}
