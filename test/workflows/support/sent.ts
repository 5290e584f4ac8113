import type { MessageKind } from '../../../src/domain/events.ts';

/** A message as it is when both channels carried it. */
export const sent = (...kinds: MessageKind[]): string[] =>
  kinds.flatMap((kind) => [`${kind} by email: sent`, `${kind} by sms: sent`]);
