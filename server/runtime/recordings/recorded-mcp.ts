import type { CallFunction } from '../../engine/effect.ts';
import type { RunState } from '../../engine/state.ts';
import type { CallMcpServer } from '../handlers/call-step.ts';
import { EffectFailure, type EffectRunner } from '../run-effects.ts';
import { tellsOfRecording } from './recording-effects.ts';
import { RecordingFailure } from './recording-file.ts';

/**
 * Calls tools of MCP servers for a step of an item flow through the runner of the run's effects,
 * which records each call or answers it from a recording.
 * @throws RecordingFailure when the recording fails, EffectFailure when the server does
 */
export function mcpOfStep(
  runner: EffectRunner,
  { id, step_id }: CallFunction,
  state: RunState,
): CallMcpServer {
  let count = 0;
  return async (server, tool, given, signal) => {
    count += 1;
    // A recording holds one call of each id: the last, for a step that was broken off is done anew.
    const own = `${id}.${count}`;
    const call = { tool, server, remote_name: tool, arguments: given, agent_name: step_id ?? '' };
    const event = await runner.perform(
      { kind: 'call_mcp_tool', id: own, call_id: own, step_id, ...call },
      signal,
      state,
    );
    if (event.type === 'effect_succeeded' && event.result.kind === 'value')
      return String(event.result.value);
    if (event.type !== 'effect_failed') throw new TypeError(`a tool answered with ${event.type}`);
    const { message, ...facts } = event.error;
    throw tellsOfRecording(event)
      ? new RecordingFailure(message, facts)
      : new EffectFailure(message, facts);
  };
}
