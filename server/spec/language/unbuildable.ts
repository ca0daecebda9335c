import { buildFindings } from '../compile/build-findings.ts';
import { type PlacedDiagnostic, placeFinding, type TextValidation } from '../rules/validate.ts';
import type { Diagnostic } from '../values/diagnostic.ts';

function isWithin(path: string | null, place: string): boolean {
  if (path === null || !path.startsWith(place)) return false;
  const next = path[place.length];
  return next === undefined || next === '.' || next === '[';
}

/** Errors of the check at a place or inside of it tell already why the place cannot be built. */
function isTold(errors: readonly Diagnostic[], place: string | null): boolean {
  return place !== null && errors.some(({ path }) => isWithin(path, place));
}

/**
 * What of a text is valid and cannot be built (decisions 49), as warnings: `validate` says nothing
 * about it, compile and run refuse it.
 */
export function unbuildable({ document, diagnostics, spec }: TextValidation): PlacedDiagnostic[] {
  if (spec === undefined) return [];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return buildFindings(spec)
    .filter(({ path }) => !isTold(errors, path))
    .map((found) => {
      const message = `Cannot be built: ${found.message}`;
      return placeFinding({ ...found, severity: 'warning', message }, document);
    });
}
