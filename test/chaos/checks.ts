import { answers } from './checks/answers.ts';
import { calendars } from './checks/calendars.ts';
import { errors } from './checks/errors.ts';
import { lives } from './checks/lives.ts';
import { messages } from './checks/messages.ts';
import { privacy } from './checks/privacy.ts';
import { readers } from './checks/readers.ts';
import { transitions } from './checks/transitions.ts';
import type { Violation } from './checks/violation.ts';
import type { Outside } from './outside.ts';

const CHECKS = [lives, calendars, answers, transitions, messages, readers, privacy, errors];

/** Holds the promises of the architecture against what is out there. */
export const check = (outside: Outside): Violation[] =>
  CHECKS.flatMap((one) => one(outside)).sort((one, other) => (one.promise < other.promise ? -1 : 1));
