import { afterRestore } from './after-restore.ts';
import { listWork } from './attention.ts';
import { book, change } from './cases/book.ts';
import { readmit, unbind } from './cases/customer.ts';
import { availability } from './cases/free-times.ts';
import * as hold from './cases/hold.ts';
import { listCases } from './cases/list.ts';
import * as commands from './cases/commands.ts';
import { restart, settle } from './cases/settle.ts';
import { showCase } from './cases/show.ts';
import type { InputOf, OperationName } from './descriptions/index.ts';
import { importCases } from './import-cases.ts';
import * as keys from './keys.ts';
import * as logs from './logs.ts';
import { type Answer, answer, type Operation } from './operation.ts';
import * as partners from './partners.ts';
import * as person from './person.ts';
import * as providers from './providers/operations.ts';
import * as registrations from './providers/register.ts';
import { reconcile } from './reconcile.ts';
import * as treatments from './treatments.ts';
import * as users from './users.ts';
import { facts } from './view.ts';
import * as workers from './workers.ts';

type Runs = {
  readonly [Name in Exclude<OperationName, 'grant'>]: (
    operation: Operation,
    input: InputOf<Name>,
  ) => Promise<Answer>;
};

/**
 * What each operation does; the compiler sees that none lacks. Apart from the descriptions, so that the command line, which
 * is made from those, loads neither Temporal nor PostgreSQL nor FHIR. `grant` runs another operation (api/execute.ts).
 */
export const RUNS: Runs = {
  attention: listWork,
  'case list': listCases,
  'case show': showCase,
  'case reveals': logs.showReveals,
  'case take': hold.take,
  'case hand-back': hold.handBack,
  'case note': hold.note,
  'case availability': availability,
  'case book': book,
  'case change': change,
  'case move-deadline': commands.moveDeadline,
  'case resend': commands.resend,
  'case retry': commands.retry,
  'case resolve-assistance': commands.resolveAssistance,
  'case restart': restart,
  'case settle': settle,
  'case correct': commands.correct,
  'case unbind': unbind,
  'case readmit': readmit,
  'case cancel': commands.cancelBooking,
  'case recall': commands.recall,
  'case archive': commands.archive,
  'partner add': partners.add,
  'partner list': partners.list,
  'partner rename': partners.rename,
  'partner suspend': partners.suspend,
  'partner resume': partners.resume,
  'partner references': partners.references,
  'partner retention': partners.retention,
  'partner import': importCases,
  'user add': users.add,
  'user list': users.list,
  'user activate': users.activate,
  'user suspend': users.suspend,
  'user resume': users.resume,
  'user remove': users.remove,
  'key create': keys.create,
  'key list': keys.list,
  'key rotate': keys.rotate,
  'key revoke': keys.revoke,
  'provider list': providers.list,
  'provider show': providers.show,
  'provider problems': providers.problems,
  'provider add': registrations.add,
  'provider change': registrations.change,
  'provider offer': providers.offer,
  'provider withdraw': providers.withdraw,
  'provider remove': providers.remove,
  'treatment list': treatments.list,
  'treatment add': treatments.add,
  'treatment minutes': treatments.setMinutes,
  'access case': logs.byCase,
  'access by': logs.byWhom,
  'access address': logs.byAddress,
  'access verify': logs.verify,
  'person export': person.exportPerson,
  'person erase': person.erasePerson,
  'person hold': person.holdPerson,
  'person erasures': person.showErasures,
  'person reapply-erasures': person.reapplyErasures,
  'person keys': person.showKeys,
  'person rewrap-keys': person.rewrap,
  reconcile,
  'after-restore': afterRestore,
  'worker versions': workers.versions,
  'worker promote': workers.promote,
  log: logs.showLog,
  whoami: async ({ actor }) => {
    const { subject, name, roles, via } = actor;
    return answer(
      facts([
        ['Name', name],
        ['Roles', roles],
        ['Id', subject],
        ['By', via],
      ]),
      {
        ...{ subject, name, roles, via },
      },
    );
  },
};
