/** A finding of a platform stage; the same fields as a diagnostic, each maybe absent. */
export interface StageFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly suggestion: string | null;
  readonly path: string | null;
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
