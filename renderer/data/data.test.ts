import { describe, expect, it } from 'vitest';
import { draftStem, freeName } from './actions.ts';
import { apiErrorFrom, isRetryable } from './api-error.ts';
import { createFrameBatch } from './frame-batch.ts';
import { routeUrl } from './route-url.ts';
import { createSseParser } from './sse-parser.ts';

describe('routeUrl', () => {
  it('encodes parameters, keeps the slashes of a greedy one and repeats list values', () => {
    expect(
      routeUrl(
        { service: 'studio', path: '/projects/{project_id}/drafts/{ref+}' },
        { project_id: 'a b', ref: '.studio/drafts/ü x.yaml' },
        { status: ['queued', 'running'], limit: 5, q: undefined, sort: null },
      ),
    ).toBe(
      '/studio/api/projects/a%20b/drafts/.studio/drafts/%C3%BC%20x.yaml?status=queued&status=running&limit=5',
    );
  });
});

describe('freeName', () => {
  it('takes the name when it is free and the first free number otherwise', () => {
    expect(freeName('a', new Set())).toBe('a');
    expect(freeName('a', new Set(['a.yaml', 'a-2.yaml']))).toBe('a-3');
  });

  it('begins with a file name, whatever was typed', () => {
    expect(draftStem('Support triage')).toBe('support-triage');
    expect(draftStem('工作流')).toBe('draft');
  });
});

describe('apiErrorFrom', () => {
  it('reads the flat envelope with details, request id and Retry-After', () => {
    const error = apiErrorFrom(409, new Headers({ 'retry-after': '7' }), {
      code: 'draft_stale',
      message: 'The draft changed.',
      request_id: 'bff-1',
      details: { revision: 'abc' },
    });
    expect(error).toMatchObject({
      status: 409,
      code: 'draft_stale',
      message: 'The draft changed.',
      requestId: 'bff-1',
      details: { revision: 'abc' },
      retryAfter: 7,
    });
  });

  it('reads the platform envelope and falls back to the header for the request id', () => {
    const error = apiErrorFrom(404, new Headers({ 'x-request-id': 'r-9' }), {
      detail: { error: 'run_not_found', message: 'No such run.' },
    });
    expect(error).toMatchObject({ code: 'run_not_found', requestId: 'r-9', retryAfter: null });
  });

  it('names an answer without an envelope by its status', () => {
    expect(apiErrorFrom(500, new Headers(), undefined).code).toBe('http_500');
    expect(isRetryable(apiErrorFrom(409, new Headers(), undefined))).toBe(false);
  });

  it('repeats what may come back by itself; what a service asked in vain is told at once', () => {
    const repeated = [0, 429, 502, 503, 504].map((status) =>
      isRetryable(apiErrorFrom(status, new Headers(), undefined)),
    );
    expect(repeated).toEqual([true, true, false, true, false]);
  });
});

describe('createSseParser', () => {
  it('yields the same frames for every cut of the text', () => {
    const text = ': hello\n\nid: 7\nevent: trace\ndata: {"a":1}\n\r\n\ndata: one\ndata: two\n\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const parser = createSseParser();
      const frames = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))];
      expect(frames).toEqual([
        { id: '7', event: 'trace', data: '{"a":1}' },
        { event: 'message', data: 'one\ntwo' },
      ]);
    }
  });
});

describe('createFrameBatch', () => {
  it('hands over once per frame and keeps the order', () => {
    const seen: number[][] = [];
    const scheduled: (() => void)[] = [];
    const batch = createFrameBatch<number>(
      (items) => seen.push([...items]),
      (run) => {
        scheduled.push(run);
        return () => undefined;
      },
    );
    batch.add(1);
    batch.add(2);
    expect(scheduled).toHaveLength(1);
    scheduled[0]?.();
    batch.add(3);
    batch.flush();
    batch.flush();
    expect(seen).toEqual([[1, 2], [3]]);
  });
});
