import { parentPort } from 'node:worker_threads';
import type { ReadTask } from './answers.ts';
import { readAnswer } from './read-answer.ts';

/** A thread of `reader.ts`: reads one answer after the other, and says when it can begin. */
parentPort?.on('message', (task: ReadTask) => {
  readAnswer(task)
    // also where the answer is more than can be sent on, such as a calendar of a hundred thousand levels
    .then((answer) => parentPort?.postMessage({ answer }))
    // no word of what it says: it can quote the calendar
    .catch(() => parentPort?.postMessage({ answer: null }));
});
parentPort?.postMessage('ready');
