import type { Problem } from '../../workbench/editor-status.ts';
import type { RangedDiagnostic } from './spec-protocol.ts';

/** A finding of a platform stage; the same fields as a diagnostic, each maybe absent. */
export interface StageFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly suggestion: string | null;
  readonly path: string | null;
}

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
  platform: readonly (StageFinding & {
    readonly line: number | null;
    readonly column: number | null;
  })[],
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

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function severityOf(value: unknown): StageFinding['severity'] {
  return value === 'warning' || value === 'info' ? value : 'error';
}

/** Reads the diagnostics of a stage's detail; entries of another shape are left out. */
export function stageFindings(detail: Readonly<Record<string, unknown>>): StageFinding[] {
  const list: unknown = detail['diagnostics'];
  if (!Array.isArray(list)) {
    return [];
  }
  return list.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) {
      return [];
    }
    const entry: Readonly<Record<string, unknown>> = { ...item };
    const message = text(entry['message']);
    return message === null
      ? []
      : [
          {
            code: text(entry['code']) ?? 'E_UNKNOWN',
            severity: severityOf(entry['severity']),
            message,
            suggestion: text(entry['suggestion']),
            path: text(entry['path']),
          },
        ];
  });
}
