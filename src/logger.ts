import { pino, type Logger } from 'pino';

/** JSON lines on standard output. Whoever logs gives ids, codes and places, never what a person wrote. */
export const createLogger = (name: string, level: string): Logger =>
  pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime });
