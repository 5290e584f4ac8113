import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Where PostgreSQL is, and by what TLS: the same for pools, for who listens and for migrations. */
export interface DatabaseAddress {
  /** Without what it says of TLS, which none of our libraries reads as the others do. */
  readonly url: string;
  readonly ssl: ConnectionOptions | false;
  /** Whether the server has to show by its certificate that it is the right one. */
  readonly isVerified: boolean;
}

/** It is none of PostgreSQL's, or says something of TLS that can't be held; the message quotes nothing of it. */
export class WrongAddress extends Error {
  override readonly name = 'WrongAddress';
}

const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
/** libpq's `allow` and `prefer` go on in the open where they have to, and so are no protection. */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * Reads of an address what libpq reads of it: `sslmode`, `sslrootcert`, `sslcert` and `sslkey` (names of files in PEM). Where
 * libpq would look for files in a home directory, the authorities are those that Node trusts (`NODE_EXTRA_CA_CERTS` adds to
 * them), as with `sslrootcert=system`. What would be less than was meant is refused: authorities that nobody asks for, and
 * settings that are not known here.
 *
 * @param url `postgresql://user:password@host:port/database?sslmode=verify-full&sslrootcert=/etc/ssl/postgresql-ca.pem`
 * @throws WrongAddress
 * @see https://www.postgresql.org/docs/18/libpq-ssl.html
 */
export function databaseAddress(url: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new WrongAddress('must be a postgresql:// address');
  const address = new URL(url);
  const unknown = [...address.searchParams.keys()].find(
    (name) => name.startsWith('ssl') && !PARAMETERS.some((known) => known === name),
  );
  if (unknown)
    throw new WrongAddress('has a setting of TLS other than sslmode, sslrootcert, sslcert and sslkey');
  const [mode, root, cert, key] = PARAMETERS.map((name) => address.searchParams.get(name));
  if (!mode && !root && !cert && !key) return { url, ssl: false, isVerified: false };
  if (!mode) throw new WrongAddress('must have sslmode=verify-full where it has settings of TLS');
  if (!MODES.includes(mode)) throw new WrongAddress(`must have an sslmode of ${MODES.join(', ')}`);
  if (!cert !== !key) throw new WrongAddress('must have sslcert and sslkey together');
  if (mode === 'verify-ca' && !root) throw new WrongAddress('must have sslrootcert with sslmode=verify-ca');
  if (root === 'system' && mode !== 'verify-full')
    throw new WrongAddress('must have sslmode=verify-full with sslrootcert=system');

  for (const name of PARAMETERS) address.searchParams.delete(name);
  if (mode === 'disable') return { url: address.href, ssl: false, isVerified: false };
  const isVerified = mode !== 'require' || Boolean(root);
  return {
    url: address.href,
    ssl: {
      rejectUnauthorized: isVerified,
      // as libpq's require, which with an authority is as verify-ca
      ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
      ...(root && root !== 'system' ? { ca: pem('sslrootcert', root) } : {}),
      ...(cert && key ? { cert: pem('sslcert', cert), key: pem('sslkey', key) } : {}),
    },
    isVerified,
  };
}

function pem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new WrongAddress(`names a file by ${name} that can not be read (${code})`);
  }
}
