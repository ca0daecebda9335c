// A real Postgres on this machine, in memory, behind its wire protocol.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import type { Credential } from '../../server/contract/credentials.ts';

/** The first message has its length alone, the others a letter before it. */
function lengthOf(bytes: Buffer, isFirst: boolean): number {
  const at = isFirst ? 0 : 1;
  return bytes.length < at + 4 ? Number.POSITIVE_INFINITY : at + bytes.readInt32BE(at);
}

/** Hands each whole message to the database, one after another. */
async function serve(db: PGlite, socket: Socket): Promise<void> {
  let bytes = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (let end = lengthOf(bytes, isFirst); bytes.length >= end; end = lengthOf(bytes, isFirst)) {
      const answer = await db.execProtocolRaw(new Uint8Array(bytes.subarray(0, end)));
      bytes = bytes.subarray(end);
      isFirst = false;
      if (!socket.destroyed) socket.write(answer);
    }
  }
}

/** A database with these statements run. It takes one connection at a time. */
export async function startPostgres(statements: string) {
  const db = await PGlite.create();
  await db.exec(statements);
  const server = createServer((socket) => {
    // A client that is gone is no failure of the test.
    serve(db, socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credential: Credential = {
    ...{ kind: 'database', host: '127.0.0.1', port: String(port), database: 'postgres' },
    ...{ user: 'postgres', password: 'the-password-of-postgres', ssl: 'disable' },
  };
  const close = async (): Promise<void> => {
    server.close();
    await db.close();
  };
  return { credential, close };
}
