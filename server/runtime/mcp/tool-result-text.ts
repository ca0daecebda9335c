import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';

function bytesOf(base64: string): number {
  const padding = /(?<!=)=*$/.exec(base64)?.[0].length ?? 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes]`;
    case 'resource_link':
      return `[resource ${block.uri}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return resource.text;
      const kind = resource.mimeType ?? 'application/octet-stream';
      return `[resource ${resource.uri} ${kind}, ${bytesOf(resource.blob)} bytes]`;
    }
  }
}

/**
 * The text of a tool's result: its text parts, one a line. Images, sound and binary resources are
 * named with their size, never inlined. Structured content stands in when there is nothing else.
 */
export function toolResultText(result: CallToolResult): string {
  const { content, structuredContent } = result;
  if (content.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent);
  }
  return content.map(blockText).join('\n');
}
