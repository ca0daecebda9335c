// Steps of services by what they ask for and what they give.
import { expect } from 'vitest';
import type { JsonObject } from '../../server/items/item.ts';
import type { ServiceAnswer, ServicePeer, ServiceTry } from './service-peer.ts';

/** What a credential of one secret is bound to. */
export const bearer = { kind: 'bearer', token: 'S3CRET' } as const;

export interface ServiceCase extends Partial<Omit<ServiceTry, 'parameters'>> {
  readonly given: JsonObject;
  /** What is asked for, in order: method, address and body. */
  readonly asks: readonly (readonly [call: string, body?: unknown])[];
  /** The fields of the items. */
  readonly gives?: readonly unknown[];
}

/** One answer. */
export const one = (json: unknown): ServiceAnswer[] => [{ json }];
/** A setting that names something of the vendor. */
export const locator = (value: string, mode = 'list') => ({ __rl: true, mode, value });

export type ServiceCases = readonly (readonly [type: string, version: number, of: ServiceCase])[];

/** Runs a step and holds what it asked for, what came out, and what its items were made of. */
export async function expectCase(
  peer: ServicePeer,
  type: string,
  version: number,
  of: ServiceCase,
): Promise<void> {
  const { given: parameters, asks, gives, credential = bearer, ...more } = of;
  const step = { type, version, credential, ...more, parameters };
  const { asked, outputs, failed } = await peer.run(step);
  expect(failed).toBeUndefined();
  expect(asked.map(({ call, body }) => [call, body])).toEqual(
    asks.map(([call, body = '']) => [call, body]),
  );
  const items = outputs?.[0] ?? [];
  if (gives !== undefined) expect(items.map(({ json }) => json)).toEqual(gives);
  for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
}
