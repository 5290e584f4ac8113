import type { CaseId } from '../src/domain/ids.ts';
import type { Activities, OperatorCall } from './index.ts';

export interface AlertDeps {
  readonly alertBook: AlertBook;
  /** Writes to the operator; null where no such mail may leave. Whatever it throws is tried again. */
  readonly alertPost: ((letter: AlertLetter) => Promise<unknown>) | null;
}

/** Nothing personal in it. */
export interface AlertLetter extends Pick<OperatorCall, 'kind' | 'caseId'> {
  readonly partnerName: string;
  /** The same for every repetition of this call, and for no other. */
  readonly dedupId: string;
}

/** The record of what the operator was told. */
export interface AlertBook {
  /** `isTold`: an earlier attempt has got through. */
  read(caseId: CaseId, dedupId: string): Promise<{ readonly partnerName: string; readonly isTold: boolean }>;
  told(caseId: CaseId, dedupId: string): Promise<void>;
}

export const createAlertActivities = ({
  alertBook,
  alertPost,
}: AlertDeps): Pick<Activities, 'alertOperator'> => ({
  async alertOperator({ caseId, kind, at }) {
    if (!alertPost) return;
    const dedupId = `${caseId}:alert:${kind}:${at}`;
    const { partnerName, isTold } = await alertBook.read(caseId, dedupId);
    if (isTold) return;
    await alertPost({ kind, caseId, partnerName, dedupId });
    await alertBook.told(caseId, dedupId);
  },
});
