import { createHash, randomBytes } from 'node:crypto';

/** One-time links and the sessions they turn into; all of it ends with the process. */
export interface SignIn {
  /** A fresh code; each works once. */
  issueCode(): string;
  /** Turns a code into a session's secret; undefined for an unknown or used code. */
  redeem(code: string): string | undefined;
  isSession(value: string): boolean;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** Only digests are kept, so that a look at the memory's lists opens nothing. */
export function createSignIn(): SignIn {
  const codes = new Set<string>();
  const sessions = new Set<string>();
  const secret = () => randomBytes(32).toString('base64url');
  return {
    issueCode() {
      const code = secret();
      codes.add(digest(code));
      return code;
    },
    redeem(code) {
      if (!codes.delete(digest(code))) return undefined;
      const session = secret();
      sessions.add(digest(session));
      return session;
    },
    isSession: (value) => sessions.has(digest(value)),
  };
}
