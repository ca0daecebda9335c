import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { Suggestion } from '../analysis.ts';

/** The suggestions of an import: at most one, when the source refers to credentials (importers 9). */
export function suggestionsFor(credentials: readonly string[]): Suggestion[] {
  if (credentials.length === 0) return [];
  const names = [...new Set(credentials)].sort(compareCodePoints);
  return [
    {
      id: 'secret_ref:credentials',
      category: 'secret_ref',
      title: 'Set up the credentials on the platform',
      detail: `The source uses these credentials: ${names.join(', ')}.`,
      spec_ref: null,
      rationale: 'A draft never holds a credential; the platform resolves it when a run needs it.',
    },
  ];
}
