import { z } from 'zod';
import { type Actor, Denied, ROLES } from './actor.ts';

/**
 * The way in while the identity provider is away: over the operator API's own socket, which the system lets only the user
 * of its process open. Who it is, is what that user's command line says; nothing proves it but that they could.
 */
export interface BreakGlass {
  /** As the system calls the user there. */
  readonly user: string;
  /** Why, in their own words. */
  readonly reason: string;
}

const SCHEME = 'Break-Glass ';
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Cf}]/u.test(text) && text.isWellFormed());
const said = z.strictObject({ user: line(100), reason: line(500) });

/** The value of `Authorization` by which a command line says so. */
export const breakGlassAuthorization = (who: BreakGlass): string =>
  SCHEME + Buffer.from(JSON.stringify(who)).toString('base64url');

/** @throws Denied `LOGIN_REQUIRED` when it does not say who, or not why */
export function readBreakGlass(authorization: string | undefined): { actor: Actor; reason: string } {
  const text = authorization?.startsWith(SCHEME) ? authorization.slice(SCHEME.length) : '';
  let who: unknown = null;
  try {
    who = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // said below
  }
  const read = said.safeParse(who);
  if (!read.success)
    throw new Denied('LOGIN_REQUIRED', {
      message:
        'Over the socket, say why: `operator --break-glass "the identity provider is away, INC-123" …`.',
    });
  const { user, reason } = read.data;
  const name = `${user} (break-glass)`;
  return { actor: { subject: `break-glass:${user}`, name, roles: ROLES, via: 'break_glass' }, reason };
}
