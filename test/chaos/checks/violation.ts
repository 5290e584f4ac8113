import type { Outside } from '../outside.ts';

/** A promise that was not kept. */
export interface Violation {
  readonly promise: 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7' | 'P8';
  /** Null where it is about no single case. */
  readonly caseId: string | null;
  readonly expected: string;
  readonly seen: string;
}

export type Check = (outside: Outside) => Violation[];
