import type { AnalyzeInput, AnalyzeOutcome } from './analysis.ts';

/**
 * The whole import, pure and deterministic (importers 2): the bytes of a source's export → draft
 * spec, gaps, suggestions and summary, or the refusal of checks 4–5 and 9–15 of importers 1.
 */
export function analyze(input: AnalyzeInput): AnalyzeOutcome {
  return {
    ok: false,
    status: 501,
    code: 'not_implemented',
    message: `Importing ${input.source} is not implemented.`,
  };
}
