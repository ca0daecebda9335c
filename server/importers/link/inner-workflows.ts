import { sha256Hex } from '../../kernel/sha256.ts';
import { embedWorkflow, hasProgram, waitsForPerson } from '../../spec/edit/embed-workflow.ts';
import { emitYaml } from '../../spec/yaml/emit-yaml.ts';
import type { Analysis, AnalyzeOutcome, Call, Gap } from '../analysis.ts';

/** Longest id of a gap. */
const MAX_ID = 128;

type Inner = { readonly found: Analysis } | { readonly reason: string };

function innerOf(outcome: AnalyzeOutcome): Inner {
  if (!outcome.ok) return { reason: `It cannot be read: ${outcome.message}` };
  if (waitsForPerson(outcome.spec))
    return { reason: 'It waits for a person, which a nested workflow cannot.' };
  return hasProgram(outcome.spec) ? { found: outcome } : { reason: 'It has no steps.' };
}

/** What is told of an inner workflow, but for how it begins: it is called. */
function innerGaps(call: Call, own: Gap, found: Analysis): Gap[] {
  return found.gaps
    .filter(({ severity, kind }) => severity !== 'info' && kind !== 'entry_mechanism_not_carried')
    .map((gap, at) => ({
      ...gap,
      gap_id: `${gap.kind}:inner:${call.source_id}:${at}`.slice(-MAX_ID),
      source_ref: {
        ...gap.source_ref,
        source_id: own.source_ref.source_id,
        locator: own.source_ref.locator,
      },
      spec_ref: own.spec_ref,
    }));
}

function withInner(analysis: Analysis, call: Call, inner: Inner): Analysis {
  const own = analysis.gaps.find(
    ({ kind, source_ref }) => kind === 'subworkflow' && source_ref.source_id === call.source_id,
  );
  if (own === undefined) return analysis;
  const replaced = (gap: Gap, more: readonly Gap[] = []) =>
    analysis.gaps.flatMap((one) => (one === own ? [gap, ...more] : [one]));
  if ('reason' in inner)
    return { ...analysis, gaps: replaced({ ...own, detail: `${own.detail} ${inner.reason}` }) };
  const { found } = inner;
  const spec = embedWorkflow(analysis.spec, call.component, found.spec);
  const spec_yaml = emitYaml(spec);
  const known = new Set(analysis.suggestions.map(({ id }) => id));
  const gap: Gap = {
    ...own,
    kind: 'carried_as',
    severity: 'info',
    title: 'Carried in another form',
    detail: `"${own.source_ref.source_label}" runs the workflow that is written inside of it; the draft has it as a component workflow. Nothing to do.`,
  };
  return {
    ...analysis,
    spec,
    spec_yaml,
    output_sha256: sha256Hex(spec_yaml),
    gaps: replaced(gap, innerGaps(call, own, found)),
    suggestions: [...analysis.suggestions, ...found.suggestions.filter(({ id }) => !known.has(id))],
    calls: analysis.calls.filter((one) => one !== call),
  };
}

/** Puts the workflows that a file holds as texts inside of its elements into its draft. */
export function embedInner(analysis: Analysis, convert: (raw: string) => AnalyzeOutcome): Analysis {
  return analysis.calls.reduce(
    (made, call) =>
      call.inner === undefined ? made : withInner(made, call, innerOf(convert(call.inner))),
    analysis,
  );
}
