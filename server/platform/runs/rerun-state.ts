import type { rerunState } from '../../contract/platform/rerun.ts';
import type { SuccessBody } from '../../contract/route.ts';
import type { RerunEdits } from '../../engine/rerun.ts';
import { type Answer, answerText } from '../../http/answer.ts';
import type { PlatformDeps } from '../deps.ts';
import { oneByOne } from '../lists/time-slices.ts';
import { redactText } from '../redaction.ts';
import { isMaskedPoint } from '../stored-states/masked-origin.ts';
import { originCode } from './origin-code.ts';
import { originOf, originSetup } from './rerun-origin.ts';

/** A piece of JSON text, made when it is its turn. */
type Part = () => string;
type Shown = NonNullable<RerunEdits['messages']>;

function joined(open: string, parts: readonly Part[][], close: string): Part[] {
  const between = parts.flatMap((part, at) => (at === 0 ? part : [() => ',', ...part]));
  return [() => open, ...between, () => close];
}

function messageParts(messages: Shown): Part[] {
  const parts = messages.map(({ role, content, name }): Part[] => [
    () => JSON.stringify({ role, content: redactText(content), name: name ?? null }),
  ]);
  return joined('[', parts, ']');
}

/** The members that are there, in their order. */
function objectParts(members: Readonly<Record<string, Part[] | undefined>>): Part[] {
  const given = Object.entries(members).flatMap(([name, parts]) =>
    parts === undefined ? [] : [[() => `${JSON.stringify(name)}:`, ...parts]],
  );
  return joined('{', given, '}');
}

function textPart(text: string): Part[] {
  return [() => JSON.stringify(redactText(text))];
}

function mapped<T>(members: Readonly<Record<string, T>>, write: (value: T) => Part[]): Part[] {
  return objectParts(
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, write(value)])),
  );
}

function editsParts({ input, messages, outputs, histories }: RerunEdits): Part[] {
  return objectParts({
    input: input === undefined ? undefined : textPart(input),
    messages: messages === undefined ? undefined : messageParts(messages),
    outputs: outputs === undefined ? undefined : mapped(outputs, textPart),
    histories: mapped(histories ?? {}, messageParts),
  });
}

/**
 * GET /runs/{id}/rerun: what a rerun from a checkpoint can edit, as it stands there, redacted. The
 * texts of a long run are many megabytes: they are redacted and written between other requests.
 * @throws Refusal not_found, invalid_request, spec_invalid.
 */
export async function readRerunState(
  deps: PlatformDeps,
  runId: string,
  sequence: number,
): Promise<Answer<SuccessBody<typeof rerunState>>> {
  const { row, checkpoint, point, origin } = await originOf(deps, runId, sequence);
  const setup = originSetup(row, row.id, null, 0);
  const { tree } = await originCode(deps, row);
  const state = await deps.specReader.edits({ ...origin, tree }, { point, setup });
  const parts = objectParts({
    run_id: [() => JSON.stringify(row.id)],
    checkpoint_sequence: [() => String(checkpoint.sequence)],
    checkpoint_type: [() => JSON.stringify(checkpoint.type)],
    masked: [() => String(isMaskedPoint(row, point))],
    edits: editsParts(state),
  });
  return answerText(Buffer.concat(await oneByOne(parts, (part) => Buffer.from(part()))));
}
