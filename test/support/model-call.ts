import { listOf } from '../../server/engine/append-list.ts';
import type { CallModel } from '../../server/engine/effect.ts';
import { message } from '../../server/engine/message.ts';

/** A call of a model as the engine asks for it. */
export function modelCall(
  provider: string,
  { model = 'm-1', ...more }: Partial<CallModel> & { readonly model?: string } = {},
): CallModel {
  return {
    kind: 'call_model',
    id: 'x1',
    agent_name: 'desk',
    step_id: null,
    binding: { provider, model, runtime_mode: 'native', sdk: provider, warning: null },
    system_prompt: null,
    messages: listOf([message('user', 'a')]),
    tools: [],
    phase: 'answer',
    iteration: 1,
    attempt: 1,
    temperature: 0.7,
    max_tokens: null,
    timeout_seconds: null,
    extra: {},
    ...more,
  };
}
