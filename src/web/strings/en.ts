import { cancel, confirm, facts, pending, receipt, taken } from './en/appointment.ts';
import { frame } from './en/frame.ts';
import { help, helpReceived, notYours } from './en/help.ts';
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
  pending,
  receipt,
  cancel,
  help,
  helpReceived,
  notYours,
  status: { ...caseStatus, ...loginStatus },
};
