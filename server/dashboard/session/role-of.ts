import { z } from 'zod';
import { ROLES, type Role } from '../access/capabilities.ts';
import type { SignInConfig } from '../config.ts';

const Claims = z.looseObject({
  sub: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.literal(true).optional().catch(undefined),
});

type Rules = Pick<SignInConfig, 'roleClaim' | 'roleMap' | 'bootstrapAdmin'>;

function textsOf(claim: unknown): string[] {
  const list = Array.isArray(claim) ? claim : [claim];
  return list.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean'
      ? [String(one)]
      : [],
  );
}

/** Who a checked token names, and as what; role undefined = may not come in (contract/dashboard.md 5). */
export function operatorOf(
  token: unknown,
  { roleClaim, roleMap, bootstrapAdmin }: Rules,
): { readonly identity: string; readonly role: Role | undefined } {
  const claims = Claims.parse(token);
  const { sub, email: given, email_verified } = claims;
  const email = email_verified === true ? given : undefined;
  const identity = email ?? sub ?? 'unknown';
  const isBootstrap =
    bootstrapAdmin !== undefined && (bootstrapAdmin === sub || bootstrapAdmin === email);
  if (isBootstrap) return { identity, role: 'admin' };
  const mapped = new Set(
    textsOf(claims[roleClaim]).map((text) =>
      Object.hasOwn(roleMap, text) ? roleMap[text] : undefined,
    ),
  );
  return { identity, role: ROLES.findLast((role) => mapped.has(role)) };
}
