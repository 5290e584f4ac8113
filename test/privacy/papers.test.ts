import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readersOf, recordOfProcessing } from './papers.ts';

const FILE = join(import.meta.dirname, '../../docs/privacy/record-of-processing.md');

describe('the record of processing', () => {
  it('is as the catalogue of columns and the roles of the database have it (`npm run papers`)', async () => {
    expect(readFileSync(FILE, 'utf8')).toBe(await recordOfProcessing());
  });

  it('names everybody who is let read a column, and nobody else', () => {
    const readers = readersOf(`
      GRANT SELECT ON partners, cases -- a remark; with GRANT SELECT ON nothing TO nobody
        TO booking_api;
      GRANT SELECT (id, status) ON cases TO booking_auditor;
      GRANT UPDATE (status) ON cases TO booking_operator;
      GRANT SELECT, INSERT (process) ON access_log TO booking_api, booking_worker;`);
    expect(readers('cases', 'patient_email')).toEqual(['api']);
    expect(readers('cases', 'status')).toEqual(['api', 'auditors']);
    expect(readers('access_log', 'who')).toEqual(['api', 'worker']);
    expect(readers('log_heads', 'hash')).toEqual([]);
  });
});
