import type { Problem } from '../../workbench/editor-status.ts';
import type { PlacedFinding } from './locate-findings.ts';
import type { RangedDiagnostic } from './spec-protocol.ts';

/** Findings of the editor's own compiler as problems. */
export function localProblems(diagnostics: readonly RangedDiagnostic[]): Problem[] {
  return diagnostics.map((item, index) => ({
    id: `editor:${index}:${item.code}:${item.path ?? ''}`,
    code: item.code,
    severity: item.severity,
    message: item.message,
    suggestion: item.suggestion,
    path: item.path,
    line: item.range?.startLine ?? null,
    column: item.range?.startColumn ?? null,
    source: 'editor',
  }));
}

/**
 * Adds the platform's findings. Findings that agree in code and path with a local one are shown
 * once (spec-v1 22).
 */
export function withPlatformProblems(
  local: readonly Problem[],
  platform: readonly PlacedFinding[],
): Problem[] {
  const known = new Set(local.map(({ code, path }) => `${code} ${path ?? ''}`));
  const extra = platform
    .filter(({ code, path }) => !known.has(`${code} ${path ?? ''}`))
    .map((item, index) => ({
      ...item,
      id: `platform:${index}:${item.code}:${item.path ?? ''}`,
      source: 'platform' as const,
    }));
  return [...local, ...extra];
}
