import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../clients/typescript/index.ts';
import type { CaseBody } from '../support/caller.ts';
import { newCase, today } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

type Page = components['schemas']['CaseList'];

describe('GET /cases', () => {
  const service = useService('api');
  const made: CaseBody[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 6; i += 1) {
      const changes = { partnerCaseId: `list-${i}`, treatmentType: i % 2 ? 'psychology' : 'physiotherapy' };
      made.push((await service.partner.post<CaseBody>('/cases', newCase(changes))).body);
    }
    await service.otherPartner.post('/cases', newCase());
  });

  const list = async (query = '') => (await service.partner.get<Page>(`/cases${query}`)).body;
  const referencesOf = (page: Page) => page.data.map(({ partnerCaseId }) => partnerCaseId);
  const faultOf = async (query: string) => {
    const { status, body } = await service.partner.get(`/cases${query}`);
    expect([status, body.details.code]).toEqual([400, 'VALIDATION_FAILED']);
    const [fault] = body.details['fields'] as { field: string; code: string }[];
    return `${fault?.field ?? ''} ${fault?.code ?? ''}`;
  };
  const newestFirst = ['list-5', 'list-4', 'list-3', 'list-2', 'list-1', 'list-0'];

  it('shows the partner’s own cases as GET /cases/{id} does, newest first', async () => {
    const page = await list();
    expect(page).toEqual({ data: made.toReversed(), nextCursor: null });
  });

  describe('paging', () => {
    it('goes through all, page by page, none twice', async () => {
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
        const page: Page = await list(`?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...referencesOf(page));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(newestFirst);
    });

    it('ends with a page that is just full', async () => {
      expect((await list('?limit=6')).nextCursor).toBeNull();
    });

    it('goes on where it was when a case is added meanwhile', async () => {
      const first = await list('?limit=3&partnerCaseId=list-5');
      expect(first.nextCursor).toBeNull();
      const { nextCursor } = await list('?limit=2');
      const added = await service.otherPartner.post('/cases', newCase());
      expect(added.status).toBe(201);
      expect(referencesOf(await list(`?limit=2&cursor=${nextCursor ?? ''}`))).toEqual(['list-3', 'list-2']);
    });
  });

  describe('filters', () => {
    it.each([
      ['?partnerCaseId=list-2', ['list-2']],
      ['?partnerCaseId=list', []],
      ['?treatmentType=psychology', ['list-5', 'list-3', 'list-1']],
      ['?treatmentType=psychology&partnerCaseId=list-2', []],
      ['?status=booked', []],
      ['?status=booked&status=pending_patient_action', newestFirst],
      [`?createdFrom=${today()}`, newestFirst],
      [`?createdFrom=${today(1)}`, []],
      [`?createdTo=${today()}`, []],
      [`?updatedSince=${today(1)}`, []],
    ])('%s', async (query, references) => {
      expect(referencesOf(await list(query))).toEqual(references);
    });

    it('takes instants too, the first included and the last excluded, with any offset', async () => {
      const at = made[3]?.createdAt ?? '';
      expect(referencesOf(await list(`?createdFrom=${at}`))).toEqual(['list-5', 'list-4', 'list-3']);
      expect(referencesOf(await list(`?createdTo=${at}`))).toEqual(['list-2', 'list-1', 'list-0']);
      const inOslo = encodeURIComponent(
        new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '+01:00'),
      );
      expect(referencesOf(await list(`?updatedSince=${inOslo}`))).toEqual(['list-5', 'list-4', 'list-3']);
    });
  });

  describe('400 VALIDATION_FAILED', () => {
    it.each([
      ['?limit=0', 'limit too_small'],
      ['?limit=101', 'limit too_big'],
      ['?limit=abc', 'limit invalid_format'],
      ['?limit=', 'limit invalid_format'],
      ['?limit=-1', 'limit invalid_format'],
      ['?limit=1e1', 'limit invalid_format'],
      ['?limit=1&limit=2', 'limit invalid_type'],
      ['?color=blue', 'color unknown_field'],
      ['?Status=booked', 'Status unknown_field'],
      ['?__proto__=1', '__proto__ unknown_field'],
      ['?status=open', 'status invalid_value'],
      ['?partnerCaseId=a&partnerCaseId=b', 'partnerCaseId invalid_type'],
      ['?partnerCaseId=%00', 'partnerCaseId invalid_character'],
      ['?treatmentType=%00', 'treatmentType invalid_character'],
      ['?createdFrom=yesterday', 'createdFrom invalid_time'],
      ['?createdFrom=2026-02-30', 'createdFrom invalid_time'],
      ['?createdFrom=0000-01-01', 'createdFrom invalid_time'],
      ['?createdTo=0000-01-01T00:00:00Z', 'createdTo invalid_time'],
      ['?updatedSince=0001-01-01T00:00:00%2B14:00', 'updatedSince invalid_time'],
      ['?updatedSince=2026-11-21T08:00:00', 'updatedSince invalid_time'],
      ['?cursor=abc', 'cursor invalid_cursor'],
      ['?cursor=', 'cursor invalid_cursor'],
    ])('%s', async (query, fault) => {
      expect(await faultOf(query)).toBe(fault);
    });

    it('for a cursor of another list, and one that somebody made up', async () => {
      const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const { id } = made[0] as CaseBody;
      for (const place of [
        ['case-events', 1],
        ['cases', ['0000-01-01T00:00:00.000Z', id]],
        ['cases', ['2026-11-21T00:00:00.000Z', 'no id']],
        ['cases', null],
        {},
      ])
        expect(await faultOf(`?cursor=${cursorOf(place)}`)).toBe('cursor invalid_cursor');
      const events = await service.partner.get<Page>(`/cases/${id}/events?cursor=${cursorOf(['cases', 1])}`);
      expect(events.status).toBe(400);
    });
  });
});
