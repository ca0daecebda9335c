import { z } from 'zod';
import { isObject } from '../kernel/json.ts';
import { decoyFor, isPassword, type PasswordHash, readPasswordHash } from './password-hash.ts';
import { readPrivateJson } from './private-json.ts';

const Hash = z.string().transform((text, context): PasswordHash => {
  const hash = readPasswordHash(text);
  if (hash !== undefined) return hash;
  context.addIssue({ code: 'custom', message: 'is no argon2id hash ("$argon2id$v=19$…")' });
  return z.NEVER;
});

const User = z.strictObject({
  username: z.string().min(1).max(256),
  password_hash: Hash,
  display_name: z.string().min(1).optional(),
});

/** A list, or a mapping that holds nothing but one. */
function listed(file: unknown): unknown {
  return isObject(file) && Object.keys(file).join() === 'users' ? file['users'] : file;
}

const UsersFile = z
  .preprocess(listed, z.array(User))
  .refine((users) => users.length > 0, 'no users are listed')
  .refine(
    (users) => new Set(users.map(({ username }) => username)).size === users.length,
    'a username is listed twice',
  );

/** Somebody whose password was right. */
export interface KnownUser {
  readonly username: string;
  readonly displayName: string;
}

/** People who sign in with a password, by a file that is read anew for each sign-in. */
export interface Users {
  /** Takes the same work for a name that is not listed. */
  verify(username: string, password: string): Promise<KnownUser | undefined>;
}

/**
 * Opens a file of users.
 * @throws StartRefusal when it cannot be used; a later sign-in throws it as well
 */
export function openUsers(file: string, setting: string): Users {
  const read = () => readPrivateJson(file, setting, UsersFile);
  read();
  return {
    async verify(username, password) {
      const users = read();
      const user = users.find((one) => one.username === username);
      const stored = user?.password_hash ?? decoyFor(users.map((one) => one.password_hash));
      const isRight = await isPassword(password, stored);
      if (!isRight || user === undefined) return undefined;
      return { username, displayName: user.display_name ?? username };
    },
  };
}
