import { answers, errors, privacy } from './checks/answers.ts';
import { calendars } from './checks/calendars.ts';
import { lives, readers, transitions } from './checks/cases.ts';
import { messages } from './checks/messages.ts';
import type { Outside, Violation } from './outside.ts';

const CHECKS = [lives, calendars, answers, transitions, messages, readers, privacy, errors];

/** Holds the promises of the architecture against what is out there. */
export const check = (outside: Outside): Violation[] =>
  CHECKS.flatMap((one) => one(outside)).sort((one, other) => (one.promise < other.promise ? -1 : 1));
