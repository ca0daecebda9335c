import { hash } from 'node:crypto';

/**
 * Lowercase hex SHA-256 of bytes, or of the UTF-8 bytes of a text. As `sha256Hex` of the kernel,
 * which has to do without Node and takes ten times as long over a whole file.
 */
export function sha256(input: string | Uint8Array): string {
  return hash('sha256', input, 'hex');
}
