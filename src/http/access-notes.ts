import type { Request, Response } from 'express';
import { plainAddress } from '../identity/networks.ts';
import type { AccessEntry, Accessor, NoteAccess } from '../postgres/access-log.ts';
import { requestIdOf } from './request-log.ts';

const NOBODY: Accessor = { who: 'nobody' };

/** Says who calls, once it is known: what is noted of the request is theirs from then on. */
export const identify = (res: Response, accessor: Accessor): void => {
  res.locals['accessor'] = accessor;
};

export const accessorOf = (res: Response): Accessor =>
  (res.locals['accessor'] as Accessor | undefined) ?? NOBODY;

/** What of an entry the request itself does not say. */
export type Noted = Pick<AccessEntry, 'action' | 'outcome' | 'caseIds' | 'commit'>;

/** Writes down that a request was answered, or refused, before it is: who, from where, and which cases are in the answer. */
export const noteRequest = (note: NoteAccess, req: Request, res: Response, noted: Noted): Promise<void> =>
  note({
    ...accessorOf(res),
    ...noted,
    address: plainAddress(req.ip ?? ''),
    requestId: requestIdOf(res),
  });
