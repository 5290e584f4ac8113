/** Domains whose addresses the mail box doesn't take, so that bad addresses can be tried. By RFC 2606 nobody's. */
const REFUSALS: Readonly<Record<string, { responseCode: number; message: string }>> = {
  'refused.example': { responseCode: 550, message: 'No such mailbox here' },
  'later.example': { responseCode: 451, message: 'Greylisted, try again later' },
};

/** What the SMTP server answers to RCPT TO; undefined when it takes the address. */
export function refusalOf(address: string): Error | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const refusal = REFUSALS[domain];
  return refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode });
}
