import { ProviderUnavailable } from '../port.ts';

/** What answers there is no CalDAV server: the address is wrong, or a proxy answers in its place. */
export class NoCalDavServer extends ProviderUnavailable {
  constructor() {
    super('this is no CalDAV server: it answers with something else. Check the base URL');
  }
}
