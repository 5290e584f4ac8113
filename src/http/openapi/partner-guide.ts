import { readFileSync } from 'node:fs';
import type { CaseStatus } from '../../domain/case-state.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { PARTNER_ACTIONS } from '../../domain/permit.ts';
import { type Situation, TRANSITIONS } from '../../domain/transitions.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import type { Environment } from '../../identity/secrets.ts';
import type { Tag } from '../operation.ts';

/** Specification §3, and what to make of it. */
const MEANINGS: Readonly<Record<CaseStatus, string>> = {
  pending_patient_action: 'The customer has the link and has not booked yet.',
  assistance_requested:
    'The customer has asked for help, and our operator sees to it. Booking is still possible.',
  booked: 'The customer has booked. `booking.transferredAt` tells when it stands in the provider’s calendar.',
  deadline_expired: 'Nobody booked in time. A new deadline opens the case again.',
  error: 'Something stopped it; `problem` says what, and who can mend it.',
  recalled: 'You took it back. An appointment was cancelled.',
  archived: 'Closed for good.',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Each status with what its partner may do, as the table of transitions has it. */
const statusTable = (): string =>
  table(
    ['`status`', 'What it means', 'What you may do'],
    Object.entries(MEANINGS).map(([status, meaning]) => [
      code(status),
      meaning,
      actionsIn(status as CaseStatus),
    ]),
  );

function actionsIn(status: CaseStatus): string {
  const always = allowed(status);
  const words = always.map((action) => (status === 'booked' ? (TIMED[action] ?? action) : action));
  if (status !== 'error') return words.join(', ') || 'nothing';
  const more = allowed('error_undeliverable').filter((action) => !always.includes(action));
  return `${words.join(', ')}; when no message reaches the customer, also ${more.join(', ')}`;
}

/** Where the clock has a say as well. */
const TIMED: Readonly<Record<string, string>> = {
  [code('recall')]: `${code('recall')} (until the appointment starts)`,
  [code('archive')]: `${code('archive')} (from then on)`,
};

const allowed = (situation: Situation): string[] =>
  PARTNER_ACTIONS.filter((action) => action in TRANSITIONS[situation]).map(code);

export const whenToTryAgain = (code: ErrorCode): string => AGAIN[code] ?? 'no';

const AGAIN: Partial<Record<ErrorCode, string>> = {
  RATE_LIMIT_EXCEEDED: 'after `Retry-After`',
  CASE_LIMIT_EXCEEDED: 'after `Retry-After`',
  TEMPORARILY_UNAVAILABLE: 'after `Retry-After`',
  PROVIDER_UNAVAILABLE: 'after `Retry-After`',
  REGISTRY_UNAVAILABLE: 'after `Retry-After`',
  OUTCOME_UNKNOWN: 'after reading the case',
  INTERNAL_ERROR: 'once, as if it were `OUTCOME_UNKNOWN`',
};

/** Every code there is. */
const errorTable = (): string =>
  table(
    ['`statusCode`', '`details.code`', 'What it means, and how to go on', 'Try again?'],
    Object.entries(ERROR_CODES)
      .sort(([, a], [, b]) => a.status - b.status)
      .map(([name, { status, meaning }]) => [
        String(status),
        `[${code(name)}](/docs/errors#${name})`,
        meaning,
        whenToTryAgain(name as ErrorCode),
      ]),
  );

/** Every type of event. */
const eventTable = (): string =>
  table(
    ['`type`', 'What happened', '`data`'],
    Object.entries(EVENT_TYPES).map(([type, { meaning, data }]) => [
      code(type),
      meaning,
      data.map(code).join(', '),
    ]),
  );

/** Whose guide it is. */
export interface GuidedService {
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly otherEnvironmentUrl: string | null;
  readonly supportEmail: string;
}

/** Where the environments are, as far as this one knows of the other. */
function environmentTable({ environment, publicUrl, otherEnvironmentUrl }: GuidedService): string {
  const row = (name: string, of: Environment, key: string) => {
    const address = of === environment ? publicUrl : otherEnvironmentUrl;
    return [name, address === null ? 'ask us' : code(`${address}/api/v1`), code(key)];
  };
  return table(
    ['Environment', 'Address', 'Keys begin with'],
    [row('Test', 'test', 'tb_test_'), row('Production', 'production', 'tb_live_')],
  );
}

/** What is written for people, in Markdown: docs/partners, in the order in which one reads it. */
const GUIDE = [
  'getting-started',
  'authentication',
  'cases',
  'errors',
  'idempotency',
  'events',
  'clients',
  'limits',
  'versioning',
  'changelog',
];
/** Where a chapter's heading is not its file's name. */
const HEADINGS: Readonly<Record<string, string>> = {
  'getting-started': 'getting-started-in-five-minutes',
  authentication: 'authentication-and-keys',
  cases: 'cases-and-statuses',
  idempotency: 'retries-and-idempotency',
  events: 'following-your-cases',
  clients: 'clients-in-your-language',
};
/** Chapters that stand before the calls they are about. */
const OF_TAGS: Readonly<Partial<Record<Tag, string>>> = { Verification: 'verification', Sandbox: 'sandbox' };

const TABLES: Readonly<Record<string, (service: GuidedService) => string>> = {
  environments: environmentTable,
  statuses: statusTable,
  errors: errorTable,
  events: eventTable,
};
/** Stand in the files for this deployment's own addresses. */
const ADDRESS = /https:\/\/(test\.)?booking\.example\.com/g;
const SUPPORT = /support@booking\.example\.com/g;

export interface PartnerGuide {
  readonly guide: string;
  readonly tags: Readonly<Partial<Record<Tag, string>>>;
}

/** The address on the page of a chapter, or of a part of it. */
function anchorOf(page: string, part?: string): string {
  const [tag] = Object.entries(OF_TAGS).find(([, name]) => name === page) ?? [];
  if (tag !== undefined) return `#tag/${tag.toLowerCase()}`;
  return `#description/${part ?? HEADINGS[page] ?? page}`;
}

/** @throws when a chapter is missing, or asks for a table that there is not */
export function readPartnerGuide(service: GuidedService): PartnerGuide {
  const chapter = (name: string) =>
    readFileSync(new URL(`../../../docs/partners/${name}.md`, import.meta.url), 'utf8')
      .replaceAll(ADDRESS, service.publicUrl)
      .replaceAll(SUPPORT, service.supportEmail)
      // within the page, as its renderer makes anchors of headings
      .replaceAll(
        /\]\((\w[\w-]*)\.md(?:#([\w-]+))?\)/g,
        (_, page: string, part?: string) => `](${anchorOf(page, part)})`,
      )
      .replace(/<!-- table: (.+) -->/g, (_, table: string) => {
        const make = TABLES[table];
        if (!make) throw new Error(`docs/partners/${name}.md: there is no table of ${table}`);
        return make(service);
      })
      .trim();
  // the tag's name is the heading
  const ofTag = (name: string) => chapter(name).replace(/^# .*\n+/, '');
  return {
    guide: GUIDE.map(chapter).join('\n\n'),
    tags: Object.fromEntries(Object.entries(OF_TAGS).map(([tag, name]) => [tag, ofTag(name)])),
  };
}
