import { cancel, confirm, facts, pending, receipt, taken } from './nb/appointment.ts';
import { frame } from './nb/frame.ts';
import { help, helpReceived, notYours } from './nb/help.ts';
import { loginStatus } from './nb/login.ts';
import { caseStatus } from './nb/status.ts';
import { times } from './nb/times.ts';
import { welcome } from './nb/welcome.ts';

/** Everything that the pages say, in bokmål. Its shape is what `en.ts` has to fill. */
export const nb = {
  ...frame,
  welcome,
  times,
  facts,
  confirm,
  taken,
  pending,
  receipt,
  cancel,
  help,
  helpReceived,
  notYours,
  status: { ...caseStatus, ...loginStatus },
};

export type Strings = typeof nb;
export type StatusKind = keyof Strings['status'];
