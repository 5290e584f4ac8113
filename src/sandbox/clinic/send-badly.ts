import type { Response } from 'express';
import { waitFor } from '../fhir/wait-for.ts';

const PAUSE_MS = 50;

/** From now on, whoever ends this response with a body ends it so. */
export function endWith(
  response: Response,
  end: (body: Buffer, usual: (body: Buffer) => void) => void,
): void {
  const usual = response.end.bind(response) as (body: Buffer) => Response;
  response.end = ((body: string | Buffer = '') => {
    end(Buffer.from(body), usual);
    return response;
  }) as Response['end'];
}

export const sendHalf = (response: Response): void =>
  endWith(response, (body, usual) => usual(body.subarray(0, body.length / 2)));

/** The half is on the wire before the connection is reset. */
export const resetHalfWay = (response: Response): void =>
  endWith(response, (body) => {
    response.set('content-length', String(body.length));
    response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
  });

export const sendSlowly = (response: Response, bytesPerSecond: number): void =>
  endWith(response, (body, usual) => {
    response.set('content-length', String(body.length));
    void trickle(response, body, Math.ceil((bytesPerSecond * PAUSE_MS) / 1000)).then(usual);
  });

/** @returns what is left when nobody listens any more: nothing. */
async function trickle(response: Response, body: Buffer, atOnce: number): Promise<Buffer> {
  for (let sent = 0; sent < body.length && !response.destroyed; sent += atOnce) {
    response.write(body.subarray(sent, sent + atOnce));
    if (response.socket) await waitFor(PAUSE_MS, response.socket);
  }
  return Buffer.alloc(0);
}
