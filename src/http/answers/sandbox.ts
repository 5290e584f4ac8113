import { z } from 'zod';
import { CHANNELS } from '../../domain/case-state.ts';
import { MESSAGE_KINDS } from '../../domain/events.ts';
import { instant, nextCursor } from './primitives.ts';

const message = z
  .object({
    caseId: z.uuid(),
    kind: z.enum(MESSAGE_KINDS).meta({ description: 'What the message is for.' }),
    channel: z.enum(CHANNELS),
    to: z.string().meta({ description: 'The address as the case had it.' }),
    subject: z.string().nullable().meta({ description: 'null for an SMS.' }),
    text: z.string().meta({ description: 'What the customer would have read.' }),
    at: instant('When it left.'),
  })
  .meta({ id: 'SandboxMessage', description: 'A message as the test environment sent it.' });

export const messagesAnswer = z
  .object({ data: z.array(message), nextCursor })
  .meta({ id: 'SandboxMessages', description: 'A page of messages, the oldest first.' });
