import { describe, expect, it } from '@jest/globals';
import type { ErrorBody } from '../support/caller.ts';
import { useService } from '../support/use-service.ts';

describe('the query of a call', () => {
  const service = useService('api');

  const ask = async (query: string) => {
    const { status, body } = await service.partner.get(`/cases${query}`);
    const { code, fields = [] } = { ...(body as Partial<ErrorBody>).details } as {
      code?: string;
      fields?: { field: string; code: string; message: string }[];
    };
    return { status, code, error: body.error, fields };
  };
  const faultsOf = async (query: string) => {
    const { status, code, fields } = await ask(query);
    expect([status, code]).toEqual([400, 'VALIDATION_FAILED']);
    return fields.map((fault) => `${fault.field} ${fault.code}`);
  };

  describe('400 VALIDATION_FAILED, by the name of the parameter', () => {
    it.each([
      // structure in brackets is part of the name
      ['?status[a]=booked', ['status[a] unknown_field']],
      ['?status[]=booked', ['status[] unknown_field']],
      ['?status.0=booked', ['status.0 unknown_field']],
      ['?__proto__=x', ['__proto__ unknown_field']],
      ['?__proto__[status]=booked', ['__proto__[status] unknown_field']],
      ['?constructor=x&toString=y', ['constructor unknown_field', 'toString unknown_field']],
      ['?=x', [' unknown_field']],
      ['?a%00=x', ['a\0 unknown_field']],
      // nothing is a value too
      ['?status=', ['status invalid_value']],
      ['?status', ['status invalid_value']],
      ['?partnerCaseId=', ['partnerCaseId too_small']],
      ['?treatmentType=', ['treatmentType too_small']],
      ['?createdFrom=', ['createdFrom invalid_time']],
      ['?limit=%205', ['limit invalid_format']],
      ['?limit=+5', ['limit invalid_format']],
      ['?limit=5%00', ['limit invalid_format']],
      ['?status=booked%00', ['status invalid_value']],
      ['?createdTo=2026-11-21%00', ['createdTo invalid_time']],
      // what is no text
      ['?partnerCaseId=%ff', ['partnerCaseId invalid_encoding']],
      ['?partnerCaseId=%C3%28', ['partnerCaseId invalid_encoding']],
      ['?partnerCaseId=%ED%A0%80', ['partnerCaseId invalid_encoding']],
      ['?partnerCaseId=%', ['partnerCaseId invalid_encoding']],
      ['?partnerCaseId=100%', ['partnerCaseId invalid_encoding']],
      [
        '?partnerCaseId=%zz&treatmentType=%e',
        ['partnerCaseId invalid_encoding', 'treatmentType invalid_encoding'],
      ],
      ['?%ff=x', ['%ff invalid_encoding']],
      // all at once
      ['?limit=0&status=open&color=blue', ['limit too_small', 'status invalid_value', 'color unknown_field']],
    ])('%s', async (query, faults) => {
      expect((await faultsOf(query)).sort()).toEqual([...faults].sort());
    });

    it('beyond 100 parameters: the first that is too many, whatever it is', async () => {
      const statuses = (count: number) => `?${'status=booked&'.repeat(count)}`;
      expect((await ask(statuses(100))).status).toBe(200);
      expect(await faultsOf(statuses(101))).toEqual(['status too_many']);
      expect(await faultsOf(`?${'a&'.repeat(7_500)}`)).toEqual(['a too_many']);
      const names = Array.from({ length: 1_500 }, (_, i) => `p${i}=1`).join('&');
      expect(await faultsOf(`?${names}`)).toEqual(['p100 too_many']);
      const { fields } = await ask(statuses(101));
      expect(fields[0]?.message).toContain('up to 100');
    });
  });

  it('10,000 filters are 400 at once, in words that say what is too large', async () => {
    for (const parameter of ['status=booked', 'color=blue', 'status[]=booked']) {
      const { status, code, error } = await ask(`?${Array(10_000).fill(parameter).join('&')}`);
      expect([status, code]).toEqual([400, 'MALFORMED_REQUEST']);
      expect(error).toContain('16 KiB');
    }
  });

  it('may repeat a filter, with the same value too, and write blanks and letters as forms do', async () => {
    for (const query of [
      '?status=booked&status=booked&status=error',
      '?&&status=booked&',
      '?partnerCaseId=TF+1%2B1',
      '?partnerCaseId=%C3%A6%F0%9F%8C%8A',
      '?partnerCaseId=a=b',
      '?',
    ])
      expect([query, (await ask(query)).status]).toEqual([query, 200]);
  });
});
