// Bytes on the wire, as no well-behaved client sends them.
import { connect } from 'node:net';

export interface WireAnswer {
  /** 0 when the other side said nothing that is HTTP. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes to a listener and gives what it says until it closes the connection. */
export function sendRaw(url: string, bytes: string, patienceMs = 5000): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<WireAnswer>();
  const socket = connect(Number(port), hostname.replaceAll(/[[\]]/g, ''), () => {
    socket.write(bytes, 'latin1');
  });
  let said = '';
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    const [head = '', ...body] = said.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    resolve({ status, head, body: body.join('\r\n\r\n') });
  });
  return promise;
}

/** A request with exactly these header lines. */
export function requestBytes(method: string, path: string, lines: readonly string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;
}
