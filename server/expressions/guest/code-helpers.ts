import { GuestBuffer } from './buffer.ts';
import { askLater } from './code-globals.ts';
import type { GuestItem } from './facts.ts';
import { OwnError } from './own-error.ts';
import type { World } from './world.ts';

interface Binary {
  data?: string;
  mimeType?: string;
  fileName?: string;
  fileExtension?: string;
}

function binaryOf(world: World, at: number, name: string): Binary {
  const found = world.item(at)?.binary?.[name] as Binary | undefined;
  if (found === undefined)
    throw new OwnError(`The item has no binary field '${name}' [item ${at}]`);
  return found;
}

function asItems(data: unknown): GuestItem[] {
  const list = Array.isArray(data) ? data : [data];
  return list.map((json) =>
    typeof json === 'object' && json !== null && 'json' in json ? (json as GuestItem) : { json },
  );
}

/** `this` of code: what the source's helpers offer without a credential or a file. */
export function helpersOf(world: World): object {
  const httpRequest = (options: unknown): Promise<unknown> => askLater('http_request', options);
  return {
    helpers: {
      httpRequest,
      request: httpRequest,
      assertBinaryData: (at: number, name: string) => binaryOf(world, at, name),
      getBinaryDataBuffer: async (at: number, name: string) =>
        GuestBuffer.from(binaryOf(world, at, name).data ?? '', 'base64'),
      prepareBinaryData: async (bytes: Uint8Array, fileName?: string, mimeType = 'text/plain') => ({
        data: GuestBuffer.from(bytes).toString('base64'),
        mimeType,
        ...(fileName === undefined ? {} : { fileName }),
      }),
      normalizeItems: asItems,
      returnJsonArray: asItems,
    },
    getNodeParameter: (name: string) =>
      (world.facts.node.parameters as Record<string, unknown> | null)?.[name],
    getWorkflowStaticData: () => ({}),
  };
}
