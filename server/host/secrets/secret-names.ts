import type { SecretUse } from '../../contract/gateway/secrets.ts';
import { isUsualKey } from '../../runtime/models/provider-names.ts';

const PREFIXED = ['platform', 'remote'] as const;

/** What a stored secret is for, by its name. */
export function secretUse(name: string): SecretUse {
  const prefixed = PREFIXED.find((use) => name.startsWith(`${use}:`));
  if (prefixed !== undefined) return prefixed;
  if (isUsualKey(name)) return 'model';
  return name.startsWith('CRED_') ? 'credential' : 'spec';
}
