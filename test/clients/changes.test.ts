import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { changesOf } from '../../clients/changes.ts';

const APPROVED = readFileSync(new URL('../../clients/openapi.json', import.meta.url), 'utf8');

describe('a change of the description', () => {
  const breakingAfter = (change: (schemas: any, document: any) => void): readonly string[] => {
    const after = JSON.parse(APPROVED);
    change(after.components.schemas, after);
    return changesOf(JSON.parse(APPROVED), after).breaking;
  };

  it.each<[string, (schemas: any) => unknown]>([
    ['type of event', ({ EventType }) => EventType.anyOf[0].enum.push('case.brand_new')],
    ['kind of message', ({ MessageKind }) => MessageKind.anyOf[0].enum.push('brand_new')],
    ['allowed action', ({ Case }) => Case.properties.allowedActions.items.anyOf[0].enum.push('brandNew')],
    ['field', ({ Case }) => (Case.properties.brandNew = { type: 'string' })],
  ])('breaks no client by one more %s', (_, change) => {
    expect(breakingAfter(change)).toEqual([]);
  });

  it.each<[string, string, (schemas: any, document: any) => unknown]>([
    ['one more status, of which there are seven', 'status', ({ CaseStatus }) => CaseStatus.enum.push('new')],
    ['a field that is gone', 'recall', ({ Case }) => delete Case.properties.recall],
    ['a call that is gone', 'archive', (_, { paths }) => delete paths['/cases/{caseId}/archive']],
  ])('breaks clients by %s', (_, what, change) => {
    expect(breakingAfter(change)).toEqual(expect.arrayContaining([expect.stringContaining(what)]));
  });

  it('breaks clients by one more value of what may only be null besides', () => {
    const withValues = (...values: string[]) => {
      const document = JSON.parse(APPROVED);
      document.components.schemas.Case.properties.status = {
        anyOf: [{ type: 'string', enum: values }, { type: 'null' }],
      };
      return document;
    };
    expect(changesOf(withValues('a'), withValues('a', 'b')).breaking).not.toEqual([]);
  });
});
