/*
 * What our pages do better with a script. Each works without: a form posts, a link leads on, and the page says when the
 * session ends. Nothing here has words of its own, since the server knows the language.
 */
import { filterAtOnce } from './filters.js';
import { keepLooking } from './pending.js';
import { sendOnce } from './send-once.js';
import { warnBeforeTheEnd } from './session.js';
sendOnce();
filterAtOnce();
keepLooking();
warnBeforeTheEnd();
