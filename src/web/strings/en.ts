import { cancel, confirm, confirming, facts, receipt, taken } from './en/appointment.ts';
import { frame } from './en/frame.ts';
import { help, helpReceived } from './en/help.ts';
import { loginStatus } from './en/login.ts';
import { caseStatus } from './en/status.ts';
import { times } from './en/times.ts';
import { welcome } from './en/welcome.ts';
import type { Strings } from './nb.ts';

export const en: Strings = {
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
