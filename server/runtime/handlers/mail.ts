import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { StepFailure } from '../../handlers/handler.ts';
import type { ComposeMail, Mail, MailServer, SendMail } from '../../handlers/mail-port.ts';
import type { HttpPolicy } from './guarded-addresses.ts';
import { guardedAddress, wordsOf } from './guarded-socket.ts';

/** Milliseconds for one mail in all, and for a server that says nothing. */
const MAIL_TIMEOUT_MS = 300_000;
const SILENCE_MS = 60_000;
const TOO_LATE = `The mail server took longer than ${MAIL_TIMEOUT_MS / 60_000} minutes.`;
/** Bytes of all files of one mail. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

async function connected(
  server: MailServer,
  policy: HttpPolicy,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ ...guardedAddress(server, policy), signal });
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('Connection timeout')));
  await once(socket, 'connect');
  socket.setTimeout(0);
  return socket;
}

function transportTo(server: MailServer, policy: HttpPolicy, signal: AbortSignal) {
  const { host, port, secure, user, password } = server;
  return createTransport({
    ...{ host, port },
    secure: secure === 'tls',
    requireTLS: secure === 'starttls',
    ignoreTLS: secure === 'none',
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, done) => {
      connected(server, policy, signal).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      );
    },
  });
}

function messageOf({ files, answersTo, ...mail }: Mail): SendMailOptions {
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (bytes > MAX_FILE_BYTES)
    throw new StepFailure(
      `The files of the mail have more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Send fewer or smaller ones.`,
    );
  return {
    ...Object.fromEntries(Object.entries(mail).filter(([, text]) => text !== '')),
    ...(answersTo === undefined ? {} : { inReplyTo: answersTo, references: answersTo }),
    attachments: files.map(({ name, type, bytes: content, id }) => ({
      ...{ filename: name, contentType: type, content: Buffer.from(content) },
      ...(id === undefined ? {} : { cid: id }),
    })),
  };
}

/**
 * Sends mails of steps to servers that the policy allows, within limits of size and time. When
 * `signal` aborts, its reason is thrown.
 */
export function createMail(policy: HttpPolicy, signal: AbortSignal): SendMail {
  return async (server, mail) => {
    const message = messageOf(mail);
    const late = AbortSignal.timeout(MAIL_TIMEOUT_MS);
    const ended = AbortSignal.any([signal, late]);
    const transport = transportTo(server, policy, ended);
    try {
      return { ...(await transport.sendMail({ ...message, signal: ended })) };
    } catch (error) {
      signal.throwIfAborted();
      throw new StepFailure(late.aborted ? TOO_LATE : wordsOf(error));
    } finally {
      transport.close();
    }
  };
}

/** Writes a mail and sends nothing. */
export const composeMail: ComposeMail = async (mail) => {
  const transport = createTransport({
    ...{ streamTransport: true, buffer: true, newline: 'windows' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const { message } = await transport.sendMail(messageOf(mail));
  if (message instanceof Uint8Array) return message;
  throw new Error('the mail was asked for as bytes');
};
