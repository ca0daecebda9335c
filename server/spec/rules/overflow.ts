import type { Diagnostic } from '../values/diagnostic.ts';
import { formatPath, type PathSegment } from '../values/path.ts';

interface Step {
  readonly value: unknown;
  readonly key: PathSegment;
  readonly above: Step | undefined;
}

function pathOf(step: Step | undefined): string {
  const keys: PathSegment[] = [];
  for (let at = step; at?.above !== undefined; at = at.above) keys.unshift(at.key);
  return formatPath(keys);
}

function* childrenOf(step: Step): Generator<Step> {
  const { value } = step;
  if (Array.isArray(value)) {
    for (const [key, item] of value.entries()) yield { value: item, key, above: step };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield { value: item, key, above: step };
  }
}

/**
 * E_PARSE for the first number of a document that no 64-bit float holds. JSON of a request reads
 * `1e400` as infinity, and what is stored of that is null: another spec. Does not recurse.
 */
export function overflowFinding(document: unknown): Diagnostic | undefined {
  const open: Step[] = [{ value: document, key: '', above: undefined }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (typeof step.value === 'number' && !Number.isFinite(step.value)) {
      return {
        code: 'E_PARSE',
        severity: 'error',
        message: 'This number is too large to be kept.',
        path: pathOf(step),
        suggestion: 'Write a smaller number, or put it in quotes.',
      };
    }
    for (const child of childrenOf(step)) {
      if (typeof child.value === 'object' || typeof child.value === 'number') open.push(child);
    }
  }
  return undefined;
}
