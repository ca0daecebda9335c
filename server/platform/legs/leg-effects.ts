import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import type { Rehearsal } from '../../contract/platform/rehearsals.ts';
import type { CallModel } from '../../engine/effect.ts';
import type { Program } from '../../engine/program.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import { boundCredentials } from '../../runtime/handlers/bound-credentials.ts';
import type { CallMcpServer } from '../../runtime/handlers/call-step.ts';
import { createCallModel } from '../../runtime/models/call-model.ts';
import { mcpOfStep } from '../../runtime/recordings/recorded-mcp.ts';
import { withRecording } from '../../runtime/recordings/recording-effects.ts';
import { withRehearsal } from '../../runtime/recordings/rehearsal-effects.ts';
import { createEffectRunner, type EffectRunner } from '../../runtime/run-effects.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { PlatformDeps } from '../deps.ts';
import { createLiveText } from '../run-stream/live-answers.ts';
import { createCallHandler } from './call-handler.ts';
import { createCallMcpTool } from './call-mcp-tool.ts';

/** True where something may be kept from whoever reads what a model said. */
function hasGuards({ agent, components }: Spec): boolean {
  const agents = [agent, ...Object.values(components?.agents ?? {})];
  return agents.some((each) => Object.keys(each?.guardrails ?? {}).length > 0);
}

/** What models say is told as it comes, but not where a guardrail looks at it first. */
function listening({ runChanges, liveAnswers }: PlatformDeps, runId: string, spec: Spec) {
  if (hasGuards(spec)) return {};
  const isRead = (): boolean => runChanges.isWatched(runId);
  const listen = ({ id, agent_name, step_id }: CallModel) =>
    createLiveText({ call_id: id, agent_name, step_id }, isRead, (answer) =>
      liveAnswers.tell(runId, answer),
    );
  return { listen };
}

/** What one leg of a run performs its effects with: models, tools and code, recorded when asked. */
export function createLegEffects(
  deps: PlatformDeps,
  runId: string,
  built: {
    readonly program: Program;
    readonly spec: Spec;
    readonly recording: RecordingChoice;
    readonly rehearsal: Rehearsal;
    readonly project: string | null;
    readonly code: () => CodeTree;
  },
): EffectRunner {
  const callHandler = createCallHandler(deps, built.project, built.code);
  const { program, spec } = built;
  const secrets = deps.secrets.of(built.project);
  const credential = boundCredentials(secrets);
  const { metadata } = spec;
  const callMcpTool = createCallMcpTool(deps.mcp, built.project, built.spec);
  const callMcp: CallMcpServer = (server, tool, given, signal) =>
    callMcpTool({ server, remote_name: tool, arguments: given }, signal);
  const run = { runId, program, metadata, clock: deps.clock, callHandler, credential, callMcp };
  const runner: EffectRunner = createEffectRunner({
    clock: deps.clock,
    callHandler,
    callStep: (effect, state, signal) => {
      const ofStep = { ...run, callMcp: mcpOfStep(recorded, effect, state) };
      return deps.builtInSteps.call(ofStep, effect, state, signal);
    },
    callBuiltInTool: (effect, signal) => deps.builtInSteps.callTool(run, effect, signal),
    callModel: createCallModel({ secrets, ...listening(deps, runId, spec) }),
    callMcpTool,
  });
  const setup = { root: deps.specRoot, runId, clock: deps.clock };
  const recorded: EffectRunner = withRecording(runner, { ...setup, choice: built.recording });
  return withRehearsal(recorded, { ...setup, rehearsal: built.rehearsal });
}
