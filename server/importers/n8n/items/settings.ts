import type { JsonObject } from '../../../kernel/json.ts';
import { setOwn } from '../../../kernel/json.ts';
import { carriedData } from '../../kept-data.ts';
import type { Protector } from '../../secrets.ts';
import type { N8nNode } from '../document.ts';
import { continuesOnFailure, effectiveTries, effectiveWait } from '../run-settings.ts';
import { withoutInner } from './calling.ts';

/** What a step of a flow of items has beside what every one has. */
export interface StepFacts {
  /** True: a handler, or what will be one, reads its parameters. */
  readonly hasParameters: boolean;
  /** True: its input goes on as it came. */
  readonly isOff: boolean;
  /** True: a handler runs it, and what is done about failures stands here. */
  readonly isHandled: boolean;
  readonly prompt?: string | undefined;
}

function onErrorOf(node: N8nNode): string | undefined {
  if (node.onError === 'continueErrorOutput') return 'error_output';
  return continuesOnFailure(node) ? 'regular_output' : undefined;
}

function credentialsOf(node: N8nNode, protector: Protector): JsonObject {
  const out: JsonObject = {};
  for (const [type, name] of node.credentials) setOwn(out, type, protector.scrub(name));
  return out;
}

/** The entry of a step: the settings of its source, those that are not the default ones. */
export function entryOf(node: N8nNode, facts: StepFacts, protector: Protector): JsonObject {
  const entry: JsonObject = {
    name: protector.scrub(node.name),
    type: node.type,
    version: node.version,
  };
  if (facts.hasParameters) entry['parameters'] = carriedData(withoutInner(node), protector);
  if (facts.prompt !== undefined) entry['prompt'] = protector.scrub(facts.prompt);
  const onError = facts.isHandled ? onErrorOf(node) : undefined;
  if (onError !== undefined) entry['on_error'] = onError;
  if (node.executeOnce) entry['execute_once'] = true;
  if (node.alwaysOutputData) entry['always_output'] = true;
  if (facts.isHandled && node.retryOnFail) {
    entry['retry'] = { tries: effectiveTries(node), wait_ms: effectiveWait(node) };
  }
  if (facts.isOff) entry['disabled'] = true;
  if (node.credentials.size > 0) entry['credentials'] = credentialsOf(node, protector);
  return entry;
}
