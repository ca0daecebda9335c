import { looksSecret } from '../../kernel/secret-names.ts';
import type { Loss } from '../graph-ir.ts';
import type { SecretHit } from '../hidden-secrets.ts';
import { isPlainPlaceholder } from '../placeholders.ts';
import { textOf, type Value, type ValueMap } from '../value.ts';
import { type DifyDocument, isGraphMode } from './document.ts';
import { graphRule } from './texts.ts';

const LINE_FIELDS: ReadonlySet<string> = new Set(['headers', 'params']);

function isLiteral(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && !graphRule(value).computed;
}

class Scan {
  readonly hits: SecretHit[] = [];

  value(value: Value, path: string): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.value(item, `${path}[${index}]`);
    } else if (value instanceof Map) {
      for (const [key, item] of value) this.member(key, item, `${path}.${key}`);
    }
  }

  private member(key: string, item: Value, path: string): void {
    if (looksSecret(key)) {
      const inner = item instanceof Map ? item.get('value') : undefined;
      if (isLiteral(item)) this.add(path, item);
      if (isLiteral(inner)) this.add(`${path}.value`, inner);
      this.value(item, path);
      return;
    }
    if (LINE_FIELDS.has(key) && typeof item === 'string') this.lines(item, path);
    else this.value(item, path);
  }

  private lines(text: string, path: string): void {
    for (const line of text.split('\n')) {
      const colon = line.indexOf(':');
      if (colon < 0) continue;
      const name = line.slice(0, colon).trim();
      const value = line.slice(colon + 1);
      if (looksSecret(name) && isLiteral(value)) this.add(`${path}.${name}`, value);
    }
  }

  private add(path: string, text: string): void {
    this.hits.push({ path, text: text.trim() });
  }
}

function scanned(value: Value, path: string, hidden: HiddenSecrets): readonly SecretHit[] {
  const scan = new Scan();
  scan.value(value, path);
  const known = new Set(scan.hits.map((hit) => hit.text));
  return [...scan.hits, ...hidden(value, path).filter((hit) => !known.has(hit.text.trim()))];
}

/** Finds credentials beyond those under a secret's name. */
export type HiddenSecrets = (value: Value, path: string) => readonly SecretHit[];

/** How credentials are looked for. */
interface SecretRules {
  readonly hiddenSecrets: HiddenSecrets;
  /** True: a text that plainly is a placeholder for a credential is none. */
  readonly keepsPlaceholders?: boolean;
}

function placeholder(ref: Loss['ref'], path: string): Loss {
  const detail = `"${ref.source_label}" holds a placeholder where a credential belongs (${path}); the draft has it as it is.`;
  const todo = 'Store the credential on the platform and refer to it.';
  return { ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

/** Literal credentials of nodes, model configuration and environment (importers 5.7). */
export function secretLosses(
  doc: DifyDocument,
  literals: Set<string>,
  { hiddenSecrets: hidden, keepsPlaceholders }: SecretRules,
): Loss[] {
  const out: Loss[] = [];
  const add = (ref: Loss['ref'], hits: readonly SecretHit[]): void => {
    for (const { path, text } of hits) {
      if (keepsPlaceholders === true && isPlainPlaceholder(text)) {
        out.push(placeholder(ref, path));
        continue;
      }
      literals.add(text);
      const detail = `"${ref.source_label}" holds a credential as plain text at ${path}; it was left out.`;
      out.push({ ref, kind: 'inline_secret', detail });
    }
  };
  for (const node of doc.nodes) {
    if (!node.isNote) add(node.ref, scanned(node.data, 'data', hidden));
  }
  if (!isGraphMode(doc.mode)) {
    const ref = { source_id: 'model_config', source_label: doc.name, locator: '$.model_config' };
    add(ref, scanned(doc.config, 'model_config', hidden));
  }
  for (const [index, variable] of doc.environment.entries()) {
    const name = textOf(variable.get('name')) ?? String(index);
    const locator = `$.workflow.environment_variables[${index}]`;
    const ref = { source_id: `env:${name}`, source_label: name, locator };
    add(ref, variableHits(variable, hidden));
  }
  return out;
}

function variableHits(variable: ValueMap, hidden: HiddenSecrets): readonly SecretHit[] {
  const value = variable.get('value');
  if (variable.get('value_type') !== 'secret' || !isLiteral(value)) return hidden(variable, '');
  return [{ path: 'value', text: value.trim() }];
}
