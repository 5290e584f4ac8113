import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface PhoneMessage {
  readonly sid: string;
  readonly to: string;
  /** A number, or an alphanumeric sender. */
  readonly from: string | null;
  readonly messagingServiceSid: string | null;
  readonly body: string;
  readonly status: 'delivered' | 'undelivered';
  readonly errorCode: number | null;
  /** Instant, ISO 8601. */
  readonly sentAt: string;
}

export interface Inbox {
  /** Resolves when it is on disk. */
  add(message: PhoneMessage): Promise<void>;
  /** Newest first. */
  all(): readonly PhoneMessage[];
}

/** The messages of this and earlier runs, in one JSON file. */
export async function openInbox(file: string): Promise<Inbox> {
  await mkdir(dirname(file), { recursive: true });
  const messages = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as PhoneMessage[];
  let lastWrite = Promise.resolve();

  const write = async () => {
    // aside, so that being killed leaves the old file or the new one
    await writeFile(`${file}.new`, JSON.stringify(messages, null, 2));
    await rename(`${file}.new`, file);
  };
  return {
    add(message) {
      messages.unshift(message);
      lastWrite = lastWrite.catch(() => undefined).then(write);
      return lastWrite;
    },
    all: () => messages,
  };
}
