import { describe, expect, it } from '@jest/globals';
import type { CaseBody } from '../support/caller.ts';
import { BY_BOTH, newCase, today } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown as string;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /cases', () => {
  const service = useService('api');

  const create = (changes: Readonly<Record<string, unknown>> = {}) =>
    service.partner.post<CaseBody>('/cases', newCase(changes));
  const faultsOf = async (changes: Readonly<Record<string, unknown>>) => {
    const { status, body } = await service.partner.post('/cases', newCase(changes));
    expect([status, body.details.code]).toEqual([400, 'VALIDATION_FAILED']);
    return body.details['fields'] as { field: string; code: string; message: string }[];
  };
  const codesOf = async (changes: Readonly<Record<string, unknown>>) =>
    (await faultsOf(changes)).map(({ field, code }) => `${field} ${code}`);

  describe('201', () => {
    it('answers with the case as the contract shapes it, and says where it is', async () => {
      const sent = newCase({ patientEmail: 'kari@example.com', patientPhone: '+4790000000' });
      const { status, headers, body } = await service.partner.post<CaseBody>('/cases', sent);
      expect(status).toBe(201);
      expect(body.id).toMatch(UUID_V4);
      expect(headers.get('Location')).toBe(`/api/v1/cases/${body.id}`);
      expect(body).toEqual({
        ...sent,
        id: body.id,
        status: 'pending_patient_action',
        allowedActions: ['recall', 'moveDeadline', 'changeContact', 'correctName', 'resendLink'],
        bookingUrl: `${service.url}/b/${body.id}`,
        createdAt: INSTANT,
        updatedAt: body.createdAt,
        notifications: [],
        booking: null,
        assistance: null,
        problem: null,
        recall: null,
        verification: { policy: null, referral: null },
      });
      const read = await service.partner.get<CaseBody>(`/cases/${body.id}`);
      expect([read.status, read.body]).toEqual([200, body]);
    });

    it('takes a case with one way to reach the customer, and no description', async () => {
      const byMail = await create({ injuryDescription: undefined });
      expect([byMail.status, byMail.body.patientPhone, byMail.body.injuryDescription]).toEqual([
        201,
        null,
        null,
      ]);
      const byPhone = await create({ ...BY_BOTH, patientEmail: null, injuryDescription: null });
      expect([byPhone.status, byPhone.body.patientEmail]).toEqual([201, null]);
    });

    it.each([
      ['0047 90 00 00 00', '+4790000000'],
      ['+47 (900) 00-000', '+4790000000'],
      ['  +44 20-7946 0958 ', '+442079460958'],
    ])('keeps the phone number %j as %s', async (sent, kept) => {
      const { status, body } = await create({ patientPhone: sent });
      expect([status, body.patientPhone]).toEqual([201, kept]);
    });

    it('leaves out blanks around what was typed', async () => {
      const { body } = await create({ patientFirstName: ' Kari ', patientEmail: ' kari@example.com ' });
      expect([body.patientFirstName, body.patientEmail]).toEqual(['Kari', 'kari@example.com']);
    });

    it('takes an e-mail address whose domain has letters beyond ASCII, as mail servers have it', async () => {
      const { body } = await create({ patientEmail: 'kari@BLÅBÆR.example' });
      expect(body.patientEmail).toBe('kari@xn--blbr-roah.example');
    });

    it('takes a fixed line beside an e-mail address', async () => {
      expect((await create({ patientPhone: '+4722000000' })).status).toBe(201);
    });

    it('takes today and the 365th day from now as the last day, and an injury of today', async () => {
      expect((await create({ bookingDeadline: today(), injuryDate: today() })).status).toBe(201);
      expect((await create({ bookingDeadline: today(365) })).status).toBe(201);
    });

    it('takes texts as long as they may be, in any script', async () => {
      const name = 'Ж'.repeat(100);
      const { status, body } = await create({
        patientFirstName: name,
        patientLastName: name,
        injuryDescription: '😀'.repeat(2_000),
      });
      expect([status, body.patientFirstName]).toEqual([201, name]);
    });

    it.each([
      ['11 digits that are no national identity number', '12345678901'],
      ['the characters that a reference may have', 'Ærø #7/2026: a_b.c-d'],
      ['a number longer than one of persons, whatever eleven of its digits are', '9901010750160'],
      ['a UUID', '01010750-1604-4b7e-9c57-1d2f3a4b5c6d'],
      ['a UUID that has a number of a person in it by chance', '07016516-354d-4930-b697-75fc108be8fd'],
      ['such a UUID with something before it', 'TF-8b1a6347-bd97-4b42-9dd2-a20884453705'],
    ])('takes %s as a reference', async (_, partnerCaseId) => {
      const { status, body } = await create({ partnerCaseId });
      expect([status, body.partnerCaseId]).toEqual([201, partnerCaseId]);
    });

    it('takes a description in several lines', async () => {
      const injuryDescription = 'Fall on ice.\n\tLeft wrist.';
      expect((await create({ injuryDescription })).body).toMatchObject({ injuryDescription });
    });
  });

  describe('400 VALIDATION_FAILED', () => {
    it('names everything at once that an empty body lacks', async () => {
      const { status, body } = await service.partner.post('/cases', {});
      expect([status, body.statusCode]).toEqual([400, 400]);
      expect(body.details['fields']).toEqual(
        [
          ['partnerCaseId', 'required'],
          ['patientFirstName', 'required'],
          ['patientLastName', 'required'],
          ['injuryDate', 'required'],
          ['treatmentType', 'required'],
          ['bookingDeadline', 'required'],
          ['patientEmail', 'contact_required'],
          ['patientPhone', 'contact_required'],
        ].map(([field, code]) => ({ field, code, message: expect.any(String) })),
      );
    });

    it('names every fault of a body at once, one for each field', async () => {
      const codes = await codesOf({
        partnerCaseId: '',
        patientFirstName: 'x'.repeat(101),
        patientLastName: 7,
        patientEmail: 'kari@',
        patientPhone: '90000000',
        injuryDate: today(1),
        injuryDescription: 'x'.repeat(4_001),
        treatmentType: 'Psychology',
        bookingDeadline: today(-1),
        patientShoeSize: 38,
      });
      expect(codes.sort()).toEqual([
        'bookingDeadline in_the_past',
        'injuryDate in_the_future',
        'injuryDescription too_big',
        'partnerCaseId too_small',
        'patientEmail invalid_email',
        'patientFirstName too_big',
        'patientLastName invalid_type',
        'patientPhone invalid_phone',
        'patientShoeSize unknown_field',
        'treatmentType unknown_treatment_type',
      ]);
    });

    it.each([
      ['partnerCaseId', ' ', 'too_small'],
      ['partnerCaseId', 'x'.repeat(101), 'too_big'],
      ['partnerCaseId', null, 'invalid_type'],
      ['partnerCaseId', 'a\u0000b', 'invalid_character'],
      ['partnerCaseId', '01010750160', 'national_identity_number'],
      ['partnerCaseId', '010107 50160', 'national_identity_number'],
      ['partnerCaseId', '01.01.07-50160', 'national_identity_number'],
      ['partnerCaseId', '0 1 0 1 0 7 / 5 0 1 6 0', 'national_identity_number'],
      ['partnerCaseId', 'fnr:01010750160', 'national_identity_number'],
      ['partnerCaseId', 'fnr01010750160x', 'national_identity_number'],
      ['partnerCaseId', '2026-010107 50160/2', 'national_identity_number'],
      // a D-number, and a synthetic one
      ['partnerCaseId', 'd_41010700068', 'national_identity_number'],
      ['partnerCaseId', '018107-00021', 'national_identity_number'],
      // what only looks like a UUID, and what stands beside one
      ['partnerCaseId', '07016516-354d-0930-b697-75fc108be8fd', 'national_identity_number'],
      ['partnerCaseId', '8b1a6347-bd97-4b42-9dd2-120884453705/010107 50160', 'national_identity_number'],
      ['partnerCaseId', 'a;b', 'invalid_character'],
      ['partnerCaseId', 'a\nb', 'invalid_character'],
      ['partnerCaseId', '٠١٠١٠٧٥٠١٦٠', 'invalid_character'],
      ['patientFirstName', 'Kari\r\nBEGIN:VALARM', 'invalid_character'],
      ['patientFirstName', 'Kari\u0085', 'invalid_character'],
      ['patientLastName', 'Nord\u202emann', 'invalid_character'],
      ['patientLastName', 'Nord\u200bmann', 'invalid_character'],
      ['patientLastName', 'Nord\u001b[2Jmann', 'invalid_character'],
      ['patientFirstName', '\ud800', 'invalid_character'],
      ['patientEmail', 'kari', 'invalid_email'],
      ['patientEmail', `${'k'.repeat(250)}@example.com`, 'too_big'],
      ['patientEmail', 'kåri@example.com', 'invalid_email'],
      ['patientEmail', 'kari@blå bær.example', 'invalid_email'],
      ['patientPhone', '+47', 'invalid_phone'],
      ['patientPhone', '+0047900', 'invalid_phone'],
      ['patientPhone', '+4790000000 ext 5', 'invalid_phone'],
      ['injuryDate', '2026-02-30', 'invalid_date'],
      ['injuryDate', '2025-02-29', 'invalid_date'],
      ['injuryDate', '1.11.2026', 'invalid_date'],
      ['injuryDate', '2026-11-01T00:00:00Z', 'invalid_date'],
      ['injuryDate', '0000-01-01', 'invalid_date'],
      ['bookingDeadline', '2027-13-01', 'invalid_date'],
      ['bookingDeadline', today(366), 'too_far_ahead'],
      ['treatmentType', 'chiropractic', 'unknown_treatment_type'],
    ])('refuses %s %j', async (field, value, code) => {
      const faults = await faultsOf({ [field]: value });
      expect(faults).toContainEqual({ field, code, message: expect.any(String) as unknown });
    });

    it('refuses a case that nobody could be reached about', async () => {
      expect(await codesOf({ patientEmail: undefined, patientPhone: null })).toEqual([
        'patientEmail contact_required',
        'patientPhone contact_required',
      ]);
    });

    it('refuses a fixed line without an e-mail address, since it gets no SMS', async () => {
      expect(await codesOf({ patientEmail: undefined, patientPhone: '+4722000000' })).toEqual([
        'patientPhone no_sms',
      ]);
    });

    it.each([
      ['a satellite', '+881612345678'],
      ['another satellite', '+870773111632'],
      ['a service that bills the sender', '+979123456789'],
      ['a country outside the EEA', '+12025550123'],
    ])('counts a number of %s as one that gets no SMS', async (_, patientPhone) => {
      expect(await codesOf({ patientEmail: undefined, patientPhone })).toEqual(['patientPhone no_sms']);
      const { status, body } = await create({ patientPhone });
      expect([status, body.notifications.map(({ channel }) => channel)]).toEqual([
        201,
        expect.not.arrayContaining(['sms']),
      ]);
    });

    it('lists the treatments that are offered, as GET /treatment-types does', async () => {
      const [fault] = await faultsOf({ treatmentType: 'acupuncture' });
      expect(fault?.message).toBe('must be one of: physiotherapy, psychology.');
      const listed = await service.partner.get<{ data: unknown[] }>('/treatment-types');
      expect(listed.body.data[1]).toEqual({
        treatmentType: 'psychology',
        name: { nb: 'Psykolog', en: 'Psychologist' },
        providers: [{ id: 'nowhere', name: 'Nowhere' }],
      });
      expect(listed.body.data).toHaveLength(2);
    });

    it('leaves nothing behind, and repeats nothing of what was sent', async () => {
      const partnerCaseId = 'left-nothing-behind';
      const { body } = await service.partner.post(
        '/cases',
        newCase({ partnerCaseId, patientEmail: 'secret@' }),
      );
      expect(JSON.stringify(body)).not.toContain('secret');
      const list = await service.partner.get<{ data: unknown[] }>(`/cases?partnerCaseId=${partnerCaseId}`);
      expect(list.body.data).toEqual([]);
    });
  });

  describe('400 DUPLICATE_PARTNER_CASE_ID', () => {
    it('names the live case of the same reference and treatment', async () => {
      const first = await create({ partnerCaseId: 'again' });
      const { status, body } = await service.partner.post('/cases', newCase({ partnerCaseId: 'again' }));
      expect(status).toBe(400);
      expect(body.details).toMatchObject({ code: 'DUPLICATE_PARTNER_CASE_ID', caseId: first.body.id });
    });

    it('is not said of another treatment, nor of another partner', async () => {
      const sent = newCase({ partnerCaseId: 'shared' });
      expect((await service.partner.post('/cases', sent)).status).toBe(201);
      expect((await service.partner.post('/cases', { ...sent, treatmentType: 'physiotherapy' })).status).toBe(
        201,
      );
      expect((await service.otherPartner.post('/cases', sent)).status).toBe(201);
    });

    it('is the answer to all but one of ten at once', async () => {
      const sent = newCase();
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => service.partner.post('/cases', sent)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
    });
  });
});
