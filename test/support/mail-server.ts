// A real mail server on this machine: what it was sent.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Credential } from '../../server/contract/credentials.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly text: string;
}

export const MAIL_PASSWORD = 'the-password-of-the-desk';

/** Takes mails of the user `desk`; refuses the recipient `nobody@example.com`. */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, done) => {
      const isKnown = username === 'desk' && password === MAIL_PASSWORD;
      if (isKnown) done(null, { user: 'desk' });
      else done(new Error(`Not known: ${username} with ${password}`));
    },
    onRcptTo: ({ address }, _, done) => {
      done(address === 'nobody@example.com' ? new Error('No such mailbox') : null);
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((body) => {
        const { mailFrom, rcptTo } = envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: body,
        });
        done(null);
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const credential: Credential = {
    ...{ kind: 'smtp', host: '127.0.0.1', port: String(port), secure: 'none' },
    ...{ user: 'desk', password: MAIL_PASSWORD },
  };
  const close = (): Promise<void> => new Promise((resolve) => server.close(resolve));
  return { received, credential, close };
}
