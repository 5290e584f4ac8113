import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** An authority of the tests' own. */
export const createAuthority = (name: string): Promise<Certificate> =>
  certificate(name, { isAuthority: true });

/** For a server of these names, or a client that is called so. */
export const issueCertificate = (
  authority: Certificate,
  name: string,
  names: { readonly hosts?: readonly string[]; readonly addresses?: readonly string[] } = {},
): Promise<Certificate> => certificate(name, { ...names, authority, isAuthority: false });

async function certificate(
  commonName: string,
  {
    hosts = [],
    addresses = [],
    authority,
    isAuthority,
  }: {
    readonly hosts?: readonly string[];
    readonly addresses?: readonly string[];
    readonly authority?: Certificate;
    readonly isAuthority: boolean;
  },
): Promise<Certificate> {
  const altNames = [
    ...hosts.map((value) => ({ type: DNS_NAME, value }) as const),
    ...addresses.map((ip) => ({ type: IP_ADDRESS, ip }) as const),
  ];
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + DAY),
    ...(authority ? { ca: authority } : {}),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames } as const] : []),
    ],
  });
  return { cert: made.cert, key: made.private };
}
