import type { SecretHit } from '../hidden-secrets.ts';
import type { Value } from '../value.ts';
import type { N8nNode } from './document.ts';

/** Decides from a label whether its text is a secret. */
export type SecretNames = (label: string) => boolean;

function counts(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && !value.startsWith('=');
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function namesSecret(value: ReadonlyMap<string, Value>, looksSecret: SecretNames): boolean {
  const isSecret = (label: Value | undefined): boolean =>
    typeof label === 'string' && looksSecret(label);
  return isSecret(value.get('name')) || isSecret(value.get('key'));
}

class Scan {
  readonly hits: SecretHit[] = [];
  private readonly looksSecret: SecretNames;

  constructor(looksSecret: SecretNames) {
    this.looksSecret = looksSecret;
  }

  value(value: Value, path: string): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.value(item, join(path, String(index)));
    } else if (value instanceof Map) this.members(value, path);
  }

  private members(value: ReadonlyMap<string, Value>, path: string): void {
    const named = value.get('value');
    if (counts(named) && namesSecret(value, this.looksSecret)) {
      this.hits.push({ path: join(path, 'value'), text: named });
    }
    for (const [key, item] of value) {
      if (counts(item) && this.looksSecret(key)) {
        this.hits.push({ path: join(path, key), text: item });
      } else if (typeof item === 'object') this.value(item, join(path, key));
    }
  }
}

/** Every literal credential in a node's parameters, depth first (importers 4.10). */
export function findSecrets(node: N8nNode, looksSecret: SecretNames): SecretHit[] {
  const scan = new Scan(looksSecret);
  scan.value(node.parameters, '');
  return scan.hits;
}
