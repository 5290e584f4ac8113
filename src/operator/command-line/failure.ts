import type { View } from '../view.ts';

/** Exit statuses. Those above 63 are from sysexits.h. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unavailable: 69, internal: 70, config: 78 } as const;

/** Why a command did not do what it is for, and what it ends with. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: number;
  readonly code: string;
  /** What `--json` adds. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What people read below the message. */
  readonly view: View | null;

  constructor(
    exit: keyof typeof EXIT,
    code: string,
    message: string,
    more: { readonly details?: Readonly<Record<string, unknown>>; readonly view?: View | null } = {},
  ) {
    super(message);
    this.exit = EXIT[exit];
    this.code = code;
    this.details = more.details ?? {};
    this.view = more.view ?? null;
  }
}
