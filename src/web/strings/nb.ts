import { cancel, confirm, confirming, facts, receipt, taken } from './nb/appointment.ts';
import { frame } from './nb/frame.ts';
import { help, helpReceived } from './nb/help.ts';
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
  confirming,
  receipt,
  cancel,
  help,
  helpReceived,
  status: { ...caseStatus, ...loginStatus },
};

export type Strings = typeof nb;
export type StatusKind = keyof Strings['status'];
