import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createMail, type MailMessage, type MailOptions } from '../../src/messaging/mail.ts';

/** Real mail servers for the suites of the mail, and clients of ours. */

export const MESSAGE: MailMessage = {
  to: 'kari@example.no',
  subject: 'Bestill time på nett',
  text: 'Hei på deg',
  html: '<p>Hei på deg</p>',
  dedupId: 'case-1:invitation:email:1',
};

interface ServerOptions {
  /** What it answers, code first, to the login, the sender, the recipient, the message. */
  readonly auth?: string;
  readonly from?: string;
  readonly rcpt?: string;
  readonly data?: string;
  /** Whether it offers STARTTLS, with a certificate that nobody vouches for. */
  readonly tls?: boolean;
  /** Milliseconds until it answers a message. */
  readonly slow?: number;
}

export interface MailServer {
  readonly smtpUrl: string;
  readonly port: number;
  /** The messages that arrived, refused ones too. */
  readonly received: string[];
  /** For each message, whether it came over TLS. */
  readonly secured: boolean[];
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

export function createMailServers() {
  const ends: (() => Promise<void> | void)[] = [];

  return {
    async start(options: ServerOptions = {}, port = 0): Promise<MailServer> {
      const received: string[] = [];
      const secured: boolean[] = [];
      let connections = 0;
      const server = new SMTPServer({
        ...LOCALHOST,
        authOptional: true,
        allowInsecureAuth: true,
        disabledCommands: options.tls ? [] : ['STARTTLS'],
        disableReverseLookup: true,
        logger: false,
        closeTimeout: 100,
        onConnect(_session, done) {
          connections += 1;
          done();
        },
        onAuth: (_auth, _session, done) => {
          const error = refusal(options.auth);
          if (error) done(error);
          else done(null, { user: 'us' });
        },
        onMailFrom: (_address, _session, done) => done(refusal(options.from)),
        onRcptTo: (_address, _session, done) => done(refusal(options.rcpt)),
        onData(stream, session, done) {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            received.push(Buffer.concat(chunks).toString());
            secured.push(session.secure);
            setTimeout(() => done(refusal(options.data)), options.slow ?? 0);
          });
        },
      });
      // clients that go away are some of the tests' point
      server.on('error', () => undefined);
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const { port: taken } = server.server.address() as AddressInfo;
      const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
      ends.push(stop);
      const smtpUrl = `smtp://127.0.0.1:${taken}`;
      return { smtpUrl, port: taken, received, secured, connections: () => connections, stop };
    },

    clientOf(smtpUrl: string, more: Partial<MailOptions> = {}) {
      const mail = createMail({
        smtpUrl,
        tlsRequired: false,
        from: { name: 'Timebestilling', address: 'post@book.example.no' },
        replyTo: 'hjelp@example.no',
        ...more,
      });
      ends.push(() => mail.close());
      return mail;
    },

    async end() {
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}

const refusal = (text: string | undefined) =>
  text === undefined
    ? null
    : Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });

/**
 * A certificate for this machine that nobody vouches for, good until 2126, and its key: for mail servers of the tests.
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
 *   -addext subjectAltName=DNS:localhost,IP:127.0.0.1`
 */
export const LOCALHOST = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUY+9uPTrT0AVR10yIfSNhrbQcnmswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MDQwN1oYDzIxMjYxMDI4
MDgwNDA3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARmKxL0I/QqjIwruibkaxIISbMkHelwJk9ZbkPr5XEmn8g30IyHwEFX
U0Shon4lH80yj1AoVZQJZ6TU3sYVjTAjo28wbTAdBgNVHQ4EFgQU896eLntE3Ot4
Lkv1NEt6AmMseNYwHwYDVR0jBBgwFoAU896eLntE3Ot4Lkv1NEt6AmMseNYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALI/chteRuchXvPugusBJ6ogL9bTIi7N/F+CyR2ER9L6AiEA
k02rShYvTOGuuD51gRDpahWrtWMJzEXyPGhvhOT8t4I=
-----END CERTIFICATE-----`,
  // of that certificate, which is for this machine, and trusted by these tests only
  // secretlint-disable
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFbbfT5bJV8z+mSRQ
UCMeOiwsM7x4UenbrBT3ZjCGm5mhRANCAARmKxL0I/QqjIwruibkaxIISbMkHelw
Jk9ZbkPr5XEmn8g30IyHwEFXU0Shon4lH80yj1AoVZQJZ6TU3sYVjTAj
-----END PRIVATE KEY-----`,
  // secretlint-enable
};
