// Made by `npm run openapi`.
export interface paths {
    "/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your cases
         * @description The newest first; all filters have to hold. For the next page send `nextCursor` as `cursor`, with the same filters. Every case that was there when you began, and that the filters let through all the while, comes exactly once, whatever is handed over and changed in the meantime. A case that you hand over meanwhile is on no later page.
         *
         *     To learn what changed, follow `GET /events`. `updatedSince` is for catching up: a change shows a moment after the time that it bears, so ask from a minute before you last began. What a filter no longer lets through is not told.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listCases"];
        put?: never;
        /**
         * Hand over a case
         * @description The customer gets the booking link by e-mail and/or SMS at once. `201` means that the case is safely kept: it goes on whatever happens to us.
         *
         *     Without an `Idempotency-Key`, handing over a live `partnerCaseId` again is refused with `DUPLICATE_PARTNER_CASE_ID`, and `details.caseId` is the case that there is.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`DUPLICATE_PARTNER_CASE_ID`](/docs/errors#DUPLICATE_PARTNER_CASE_ID), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["createCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a case
         * @description _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["getCase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move the deadline, or correct how the customer is reached
         * @description Only what you send changes, and all of it or nothing. A new deadline reopens an expired case. A corrected address gets the link while the case is unbooked, a minute after the first correction, so that others within the minute send no more of them; the old one gets nothing more. The names can be corrected while the case is open, until the customer has logged in; what the registries said of the wrong one is gone then.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        patch: operations["changeCase"];
        trace?: never;
    };
    "/cases/{caseId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the booking link again
         * @description Up to 5 times per case and day; beyond, the answer is 429 `CASE_LIMIT_EXCEEDED`.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`CASE_LIMIT_EXCEEDED`](/docs/errors#CASE_LIMIT_EXCEEDED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["resendLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recall a case
         * @description The customer is told, and an appointment already booked is cancelled at the provider. Recalling a recalled case changes nothing.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`APPOINTMENT_STARTED`](/docs/errors#APPOINTMENT_STARTED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["recallCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a case for good
         * @description For cases that have ended; a booked one from its appointment’s start. A case archives itself some time after its end. Archiving an archived case changes nothing.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["archiveCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/treatment-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What can be treated, and by whom
         * @description _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listTreatmentTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of all your cases
         * @description One feed, the oldest event first. Ask for what came since with the `nextCursor` of the answer before: at once while `hasMore` is true, then every minute or so. With nothing new, `data` is empty and `nextCursor` is the place where you were.
         *
         *     Nothing is skipped and nothing comes twice, however many cases change at the same time: an event appears behind all that appeared before it, so the order is that of the feed, and `at` may be slightly earlier than that of the event before. Keep the cursor together with what you made of the events; it does not expire, and events are kept as long as their case.
         *
         *     Each event bears the case’s `status` and `bookingId` after it, so what you keep of your cases follows without reading them. With a `type`, a page may have fewer events than `limit`, or none, while `hasMore` is true: so many others were passed over.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a case’s timeline
         * @description The oldest event first.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listCaseEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}/policy-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the patient’s policy
         * @description Asks the policy registry whether the number is the patient’s, and covers the day of the injury. It informs and never blocks a booking, so it is possible in every status. The answer is kept on the case as `verification`, the number is not. A registry that does not answer is a 500 `REGISTRY_UNAVAILABLE`: that says nothing about the number, so ask again later.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`REGISTRY_UNAVAILABLE`](/docs/errors#REGISTRY_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["verifyPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases/{caseId}/referral-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the patient’s referral
         * @description Asks the referral registry whether the number is the patient’s, for this treatment, and valid today. It informs and never blocks a booking, so it is possible in every status. The answer is kept on the case as `verification`, the number is not. A registry that does not answer is a 500 `REGISTRY_UNAVAILABLE`: that says nothing about the number, so ask again later.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`REGISTRY_UNAVAILABLE`](/docs/errors#REGISTRY_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["verifyReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password
         * @description With the one-time token that our operator gave you. The answer has the secret of your one-time codes: scan it with an authenticator app at once, it is shown this once. A forgotten password, or a lost app, is a new activation: ask the operator for one. It voids the old password and secret, and ends all sessions.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTIVATION_TOKEN_INVALID`](/docs/errors#ACTIVATION_TOKEN_INVALID), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description The access token is for managing API keys, 60 minutes long. Cases are for API keys. In production it takes a one-time code too. After 10 failures within an hour, wherever they come from, the account is closed for an hour. The account’s owner gets a mail about each login from a new network.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`INVALID_CREDENTIALS`](/docs/errors#INVALID_CREDENTIALS), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is logged in
         * @description _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends this access token. The account’s others go on until they expire.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API keys
         * @description The live ones first, then the latest of those that ended; never the keys themselves.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The answer is the only place where the key is shown; send an `Idempotency-Key` to get the same once more. Up to 20 keys may be live at once. It takes the password of the account again, and all users of the partner get a mail.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`INVALID_CREDENTIALS`](/docs/errors#INVALID_CREDENTIALS), [`API_KEY_LIMIT_REACHED`](/docs/errors#API_KEY_LIMIT_REACHED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description A new key of the same name, scopes, networks and end; the old one goes on for `overlapHours`, though never longer than it would have. So your systems change over one by one, and nothing is refused meanwhile. Both count as live. It takes the password of the account again, and all users of the partner get a mail.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`INVALID_CREDENTIALS`](/docs/errors#INVALID_CREDENTIALS), [`API_KEY_NOT_FOUND`](/docs/errors#API_KEY_NOT_FOUND), [`API_KEY_ENDED`](/docs/errors#API_KEY_ENDED), [`API_KEY_LIMIT_REACHED`](/docs/errors#API_KEY_LIMIT_REACHED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It ends at once. Revoking a revoked key changes nothing.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`API_KEY_NOT_FOUND`](/docs/errors#API_KEY_NOT_FOUND), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your last calls
         * @description The last 1000 calls with your keys and by your users, the newest first: which route, how it was answered, with which key. Calls that no key or login of yours was known in are not among them. A call is listed within seconds.
         *
         *     _Access:_ for your users, with an access token.
         *
         *     _Refused with:_ [`INVALID_ACCESS_TOKEN`](/docs/errors#INVALID_ACCESS_TOKEN), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a case in each status
         * @description Seven new cases of yours, each brought to its status by its real workflow: the one in `error` is `UNDELIVERABLE`. Each call makes seven more. Where a provider is away, the call fails by that, and the others are there all the same.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`SLOT_TAKEN`](/docs/errors#SLOT_TAKEN), [`PROVIDER_UNAVAILABLE`](/docs/errors#PROVIDER_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book the first free time
         * @description As the customer does, from tomorrow on; a booked case gets another time instead.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`APPOINTMENT_STARTED`](/docs/errors#APPOINTMENT_STARTED), [`SLOT_TAKEN`](/docs/errors#SLOT_TAKEN), [`PROVIDER_UNAVAILABLE`](/docs/errors#PROVIDER_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the deadline pass
         * @description The deadline moves to yesterday, and the case expires by that.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxExpire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/request-assistance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for help
         * @description As the customer does, without the limit of three a day.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxRequestAssistance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/resolve-assistance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle the request for help
         * @description As our operator does.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxResolveAssistance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/bounce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let messages bounce
         * @description The link is sent again, and the case’s addresses take nothing any more until one of them is corrected with PATCH. An unbooked case gets `error`, `UNDELIVERABLE`; one that waits for help stays as it is.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxBounce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/fail-transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a time that the provider refuses
         * @description The case gets `error`, `TRANSFER_REFUSED`. A customer who is booked already keeps that appointment.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`APPOINTMENT_STARTED`](/docs/errors#APPOINTMENT_STARTED), [`SLOT_TAKEN`](/docs/errors#SLOT_TAKEN), [`PROVIDER_UNAVAILABLE`](/docs/errors#PROVIDER_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxFailTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/provider-cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the provider cancel
         * @description The customer is asked to choose again, and has at least three days for it. The time is free again.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxProviderCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/pass-appointment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the appointment be over
         * @description The appointment moves so that it has just ended: the case can be archived, and not be recalled any more.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`PROVIDER_UNAVAILABLE`](/docs/errors#PROVIDER_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxPassAppointment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/cases/{caseId}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let days pass for a case
         * @description The case’s own clock goes ahead, from one thing that it does by itself to the next: reminders are sent, the deadline passes, a case that has ended is archived. From then on all that is judged by the time (what is allowed, which times can be booked) is judged by that clock, and the case’s events bear its time; `createdAt`, `updatedAt` and `notifications` bear ours. It never goes back, and is at most 1000 days ahead.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["sandboxAdvance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was sent
         * @description Every message that left for the case’s customer in the last seven days, the oldest first. The test environment never sends to real addresses.
         *
         *     _Access:_ with your API key.
         *
         *     _Refused with:_ [`INVALID_API_KEY`](/docs/errors#INVALID_API_KEY), [`KEY_NOT_ALLOWED`](/docs/errors#KEY_NOT_ALLOWED), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["sandboxListMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What there is to book
         * @description More with the customer’s session than without: a stranger learns nothing about the customer.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["readBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the eID login
         * @description Answers where to send the browser, and sets the cookie by which the login is known when it comes back to `/eid/callback`. That sets the session’s cookie: good for 15 minutes since it was last used, and for two hours at most.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`ORIGIN_NOT_ALLOWED`](/docs/errors#ORIGIN_NOT_ALLOWED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["beginLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The live free times
         * @description Asked of every provider now. One that does not answer is `unavailable`, and the others’ times are there all the same.
         *
         *     _Access:_ for the customer’s browser, after the eID login.
         *
         *     _Refused with:_ [`EID_LOGIN_REQUIRED`](/docs/errors#EID_LOGIN_REQUIRED), [`IDENTITY_MISMATCH`](/docs/errors#IDENTITY_MISMATCH), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["listAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a time
         * @description Or another one instead of what is booked: the new is secured before the old is let go. The time one has already is confirmed again. Where somebody else was faster, `details.alternatives` has up to three others.
         *
         *     _Access:_ for the customer’s browser, after the eID login.
         *
         *     _Refused with:_ [`EID_LOGIN_REQUIRED`](/docs/errors#EID_LOGIN_REQUIRED), [`IDENTITY_MISMATCH`](/docs/errors#IDENTITY_MISMATCH), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`ORIGIN_NOT_ALLOWED`](/docs/errors#ORIGIN_NOT_ALLOWED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`APPOINTMENT_STARTED`](/docs/errors#APPOINTMENT_STARTED), [`SLOT_UNKNOWN`](/docs/errors#SLOT_UNKNOWN), [`SLOT_TAKEN`](/docs/errors#SLOT_TAKEN), [`PROVIDER_UNAVAILABLE`](/docs/errors#PROVIDER_UNAVAILABLE), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["confirmBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel what is booked
         * @description _Access:_ for the customer’s browser, after the eID login.
         *
         *     _Refused with:_ [`EID_LOGIN_REQUIRED`](/docs/errors#EID_LOGIN_REQUIRED), [`IDENTITY_MISMATCH`](/docs/errors#IDENTITY_MISMATCH), [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`ORIGIN_NOT_ALLOWED`](/docs/errors#ORIGIN_NOT_ALLOWED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`APPOINTMENT_STARTED`](/docs/errors#APPOINTMENT_STARTED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["cancelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/assistance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for help
         * @description Needs no login: a customer who can not log in needs help most. Up to 3 times per case and day.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`ORIGIN_NOT_ALLOWED`](/docs/errors#ORIGIN_NOT_ALLOWED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`ACTION_NOT_ALLOWED`](/docs/errors#ACTION_NOT_ALLOWED), [`CASE_LIMIT_EXCEEDED`](/docs/errors#CASE_LIMIT_EXCEEDED), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["requestAssistance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/booking/{caseId}/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session
         * @description Wherever its cookie is: no copy of it is good any more.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`CASE_NOT_FOUND`](/docs/errors#CASE_NOT_FOUND), [`VALIDATION_FAILED`](/docs/errors#VALIDATION_FAILED), [`INVALID_JSON`](/docs/errors#INVALID_JSON), [`INVALID_CONTENT_TYPE`](/docs/errors#INVALID_CONTENT_TYPE), [`BODY_TOO_LARGE`](/docs/errors#BODY_TOO_LARGE), [`ORIGIN_NOT_ALLOWED`](/docs/errors#ORIGIN_NOT_ALLOWED), [`OUTCOME_UNKNOWN`](/docs/errors#OUTCOME_UNKNOWN), [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        post: operations["endLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this description
         * @description OpenAPI 3.1, made of the schemas by which requests are parsed. Good for generating a client; the dates in its examples are those of today.
         *
         *     _Access:_ for anybody, without a key.
         *
         *     _Refused with:_ [`MALFORMED_REQUEST`](/docs/errors#MALFORMED_REQUEST), [`RATE_LIMIT_EXCEEDED`](/docs/errors#RATE_LIMIT_EXCEEDED), [`TEMPORARILY_UNAVAILABLE`](/docs/errors#TEMPORARILY_UNAVAILABLE), [`INTERNAL_ERROR`](/docs/errors#INTERNAL_ERROR).
         */
        get: operations["readDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Who asks for the customer. */
        Helper: {
            /** @description Who asks. */
            name: string;
            /**
             * @description What the helper is to the customer.
             * @enum {string}
             */
            relation: "parent" | "guardian" | "helper";
        };
        /** @description Every error, on every path. */
        Error: {
            /** @description For people: what was wrong, what is allowed, how to go on. Its words may change. */
            error: string;
            /** @description The HTTP status once more. */
            statusCode: number;
            details: components["schemas"]["ErrorDetails"];
        };
        /** @description What programs decide by. Each code has more, or has not. */
        ErrorDetails: {
            code: components["schemas"]["ErrorCode"];
            /**
             * Format: uuid
             * @description Quote it when you report a problem. Also in the header `X-Request-Id`.
             */
            requestId: string;
            /**
             * Format: uri
             * @description Where this code is explained.
             */
            help: string;
            /** @description Everything that is wrong, at once. (`VALIDATION_FAILED`) */
            fields?: components["schemas"]["FieldFault"][];
            /** @description Why a key or token is not accepted, or may not do this. (`INVALID_API_KEY`, `KEY_NOT_ALLOWED`, `INVALID_ACCESS_TOKEN`) */
            reason?: ("missing" | "malformed" | "wrong_environment" | "ambiguous" | "not_accepted" | "network" | "scope" | "wrong_scheme") | string;
            /**
             * @description The scope that this call takes. (`KEY_NOT_ALLOWED`)
             * @enum {string}
             */
            scope?: "cases:read" | "cases:write";
            /**
             * Format: uuid
             * @description The case that there is. (`DUPLICATE_PARTNER_CASE_ID`)
             */
            caseId?: string;
            /**
             * @description Where the case stands; left out for callers who may not know. (`ACTION_NOT_ALLOWED`, `APPOINTMENT_STARTED`)
             * @enum {string}
             */
            status?: "pending_patient_action" | "booked" | "deadline_expired" | "assistance_requested" | "recalled" | "archived" | "error";
            /** @description What was asked for. (`ACTION_NOT_ALLOWED`, `APPOINTMENT_STARTED`) */
            action?: string;
            /** @description What this caller may do instead. (`ACTION_NOT_ALLOWED`, `APPOINTMENT_STARTED`) */
            allowedActions?: string[];
            /** @description Of the sandbox’s calls only: what it can do with the case now. (`ACTION_NOT_ALLOWED`, `APPOINTMENT_STARTED`) */
            sandboxActions?: string[];
            /** @description Up to three free times near the one that was taken. (`SLOT_TAKEN`) */
            alternatives?: components["schemas"]["OfferedTime"][];
        };
        /** @description What went wrong, for programs. */
        ErrorCode: ("VALIDATION_FAILED" | "INVALID_JSON" | "INVALID_CONTENT_TYPE" | "BODY_TOO_LARGE" | "MALFORMED_REQUEST" | "DUPLICATE_PARTNER_CASE_ID" | "IDEMPOTENCY_KEY_REUSED" | "ACTION_NOT_ALLOWED" | "APPOINTMENT_STARTED" | "SLOT_UNKNOWN" | "SLOT_TAKEN" | "ACTIVATION_TOKEN_INVALID" | "API_KEY_LIMIT_REACHED" | "API_KEY_ENDED" | "INVALID_API_KEY" | "INVALID_CREDENTIALS" | "INVALID_ACCESS_TOKEN" | "EID_LOGIN_REQUIRED" | "KEY_NOT_ALLOWED" | "IDENTITY_MISMATCH" | "ORIGIN_NOT_ALLOWED" | "CASE_NOT_FOUND" | "API_KEY_NOT_FOUND" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED" | "CASE_LIMIT_EXCEEDED" | "TEMPORARILY_UNAVAILABLE" | "PROVIDER_UNAVAILABLE" | "REGISTRY_UNAVAILABLE" | "OUTCOME_UNKNOWN" | "INTERNAL_ERROR") | string;
        /** @description What is wrong with one field. */
        FieldFault: {
            /** @description Its name; `a.b` for a field `b` within `a`. */
            field: string;
            code: components["schemas"]["FieldCode"];
            /** @description The same for people, to be read after the name. */
            message: string;
        };
        /** @description What is wrong with a field, for programs. */
        FieldCode: ("required" | "nothing_to_change" | "unknown_field" | "invalid_type" | "invalid_value" | "invalid_format" | "invalid" | "too_small" | "too_big" | "too_many" | "invalid_character" | "invalid_encoding" | "invalid_date" | "invalid_time" | "in_the_future" | "in_the_past" | "too_far_ahead" | "before_from" | "too_long" | "invalid_email" | "invalid_phone" | "no_sms" | "contact_required" | "no_address" | "identity_bound" | "unknown_treatment_type" | "national_identity_number" | "invalid_cursor" | "invalid_key" | "invalid_network" | "is_email" | "too_common") | string;
        /** @description A free time. */
        OfferedTime: {
            /** @description To confirm this time with: signed by us, good for this case only. */
            slotId: string;
            providerId: string;
            providerName: string;
            /** @description Who treats. */
            practitioner: string;
            /** @description Where to go; for a video appointment, that it is one. */
            location: string;
            /** @enum {string} */
            mode: "in_person" | "video";
            /** @description Of the place; null for video, and where nobody says. */
            town: string | null;
            /**
             * Format: date-time
             * @description When it begins.
             */
            start: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            end: string;
        };
        /** @description One customer’s claim, and how far its booking is. */
        Case: {
            /**
             * Format: uuid
             * @description The case’s UUID v4: also the last part of its `bookingUrl`.
             */
            id: string;
            /** @description Your own reference. */
            partnerCaseId: string;
            patientFirstName: string;
            patientLastName: string;
            patientEmail: string | null;
            /** @description In E.164. */
            patientPhone: string | null;
            /**
             * Format: date
             * @description The day of the injury; null where it was lost (`case.restored`).
             */
            injuryDate: string | null;
            injuryDescription: string | null;
            treatmentType: string;
            /**
             * Format: date
             * @description The last day on which the customer can book.
             */
            bookingDeadline: string;
            status: components["schemas"]["CaseStatus"];
            /** @description What you may do with the case now. */
            allowedActions: (("recall" | "archive" | "moveDeadline" | "changeContact" | "correctName" | "resendLink") | string)[];
            /**
             * Format: uri
             * @description The customer’s personal link, as it stands in the messages.
             */
            bookingUrl: string;
            /**
             * Format: date-time
             * @description When it was handed over.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description Every message, the oldest first. */
            notifications: components["schemas"]["Notification"][];
            booking: components["schemas"]["Booking"] | null;
            assistance: components["schemas"]["Assistance"] | null;
            problem: components["schemas"]["Problem"] | null;
            recall: components["schemas"]["Recall"] | null;
            /** @description The newest answer of each registry; null where none was asked. */
            verification: {
                policy: components["schemas"]["Verification"] | null;
                referral: components["schemas"]["Verification"] | null;
            };
        };
        /**
         * @description Where the case stands.
         * @enum {string}
         */
        CaseStatus: "pending_patient_action" | "booked" | "deadline_expired" | "assistance_requested" | "recalled" | "archived" | "error";
        /** @description A message to the customer on one channel. */
        Notification: {
            kind: components["schemas"]["MessageKind"];
            /** @enum {string} */
            channel: "email" | "sms";
            /**
             * @description `sent`: our server handed it over. `delivered`: the channel reports that it arrived. `failed`: for good.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "failed";
            /**
             * @description Why a message failed for good; null where it has not. There may be more.
             *
             *     - `no_address`: The case had no address for the channel any more.
             *     - `invalid_address`: It is no address of the channel.
             *     - `address_refused`: Nobody is reached at the address, or its server takes nothing for it.
             *     - `no_sms`: The number takes no SMS, as a fixed line.
             *     - `unreachable`: The telephone could not be reached for days, or no route leads there.
             *     - `blocked`: The telephone or its network blocks such messages.
             *     - `opted_out`: Its owner has answered that nothing more shall come.
             *     - `not_delivered`: The channel reports that it did not arrive, and not why.
             *     - `gave_up`: The channel could not take it for so long that it was given up.
             */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it got this status.
             */
            at: string;
        };
        /** @description What a message is for. */
        MessageKind: ("invitation" | "reminder" | "receipt" | "changed" | "cancelled" | "choose_again" | "assistance_received" | "recalled" | "appointment_reminder" | "earlier_time") | string;
        /** @description The customer’s appointment. */
        Booking: {
            /** Format: uuid */
            bookingId: string;
            providerId: string;
            providerName: string | null;
            /** @description Who treats. */
            practitioner: string | null;
            /** @description Where to go; for a video appointment, that it is one. */
            location: string | null;
            /** @enum {string|null} */
            mode: "in_person" | "video" | null;
            /**
             * Format: date-time
             * @description When it begins.
             */
            start: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            end: string;
            /**
             * Format: date-time
             * @description When the customer confirmed it.
             */
            confirmedAt: string;
            /**
             * Format: date-time
             * @description Since when it stands in the provider’s calendar; null until then.
             */
            transferredAt: string | null;
            /** @description The provider’s own id of the appointment. */
            providerReference: string | null;
        };
        /** @description The customer’s request for help. What they wrote is for our operator only. */
        Assistance: {
            /**
             * Format: date-time
             * @description When the customer last asked.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When our operator settled it; null while it is open.
             */
            resolvedAt: string | null;
        };
        /** @description Why the case is in `error`. */
        Problem: {
            /**
             * @description `UNDELIVERABLE`: no message reaches the customer. `TRANSFER_REFUSED`: the provider did not take the booking. `INTERNAL`: a fault of ours.
             * @enum {string}
             */
            code: "UNDELIVERABLE" | "TRANSFER_REFUSED" | "INTERNAL";
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description What you can do about it, in words. */
            nextAction: string;
        };
        /** @description Set once you recalled the case. */
        Recall: {
            /**
             * Format: date-time
             * @description When you recalled it.
             */
            at: string;
            reason: string | null;
        };
        /** @description What a registry said. It informs, and never blocks a booking. */
        Verification: {
            /** @enum {string} */
            outcome: "verified" | "not_verified";
            /** @description Why it is not verified. Empty when it is. */
            reasons: components["schemas"]["VerificationReason"][];
            /**
             * Format: date-time
             * @description When the registry was asked.
             */
            checkedAt: string;
            /**
             * Format: date
             * @description The first day, where the registry says one.
             */
            validFrom: string | null;
            /**
             * Format: date
             * @description The last day, where the registry says one.
             */
            validTo: string | null;
        };
        /**
         * @description - `unknown_number`: The registry knows no such number.
         *     - `person_unknown`: The registry does not name the person that the number belongs to.
         *     - `wrong_person`: The number belongs to somebody with another name than the case's patient.
         *     - `not_active`: It was cancelled, revoked, completed or entered in error, or is a draft or on hold.
         *     - `other_treatment`: The referral is for another treatment than the case.
         *     - `not_begun`: It was not valid yet on the day that counts.
         *     - `expired`: It was not valid any more on the day that counts.
         */
        VerificationReason: ("unknown_number" | "person_unknown" | "wrong_person" | "not_active" | "other_treatment" | "not_begun" | "expired") | string;
        /** @description A page of cases. */
        CaseList: {
            data: components["schemas"]["Case"][];
            /** @description Send it as `cursor` to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description What can be treated. */
        TreatmentTypeList: {
            data: components["schemas"]["TreatmentType"][];
        };
        /** @description A kind of treatment, and who offers it. */
        TreatmentType: {
            /** @description Send this when you hand over a case. */
            treatmentType: string;
            /** @description For people to read. */
            name: {
                nb: string;
                en: string;
            };
            providers: {
                id: string;
                name: string;
            }[];
        };
        /** @description The events of all cases behind a cursor, the oldest first. */
        Feed: {
            data: components["schemas"]["Event"][];
            /** @description Where to go on; never null. */
            nextCursor: string;
            /** @description Whether there is more by now. */
            hasMore: boolean;
        };
        /** @description Something that happened to a case. */
        Event: {
            /**
             * Format: uuid
             * @description The same whenever the event is read: keep it to know what you have seen.
             */
            id: string;
            type: components["schemas"]["EventType"];
            /** Format: uuid */
            caseId: string;
            /** @description Your own reference; null once the case is erased, since it leads to a person. */
            partnerCaseId: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Whose doing.
             * @enum {string}
             */
            actor: "customer" | "partner" | "operator" | "provider" | "service";
            /**
             * Format: uuid
             * @description With which of your API keys it was done, as `GET /auth/api-keys` has them; null where with none.
             */
            apiKeyId: string | null;
            /** @description The case’s status after it. */
            status: components["schemas"]["CaseStatus"];
            /**
             * Format: uuid
             * @description The case’s booking after it; null where it has none.
             */
            bookingId: string | null;
            data: components["schemas"]["EventData"];
        };
        /**
         * @description - `case.created`: You handed the case over.
         *     - `case.deadline_moved`: The last day to book was moved.
         *     - `case.reopened`: An expired case can be booked again.
         *     - `case.deadline_expired`: Nobody booked by the last day.
         *     - `case.contact_changed`: An address of the customer was corrected.
         *     - `case.name_corrected`: A name of the customer was corrected. What the registries said of the one before is gone.
         *     - `contact.disowned`: Whoever got a message says that it is not for them. The addresses in `data.channels` get nothing more until they are corrected.
         *     - `case.recalled`: The case was recalled.
         *     - `case.archived`: The case was closed for good.
         *     - `case.erased`: All that was personal of the case was erased: it is not found any more, and neither are its earlier events.
         *     - `case.restored`: The case is shown anew, after what was shown of it had been lost or wrong: this is how it stands, whatever earlier events said. Without an appointment the fields of one are missing. Send again what `data.lost` names.
         *     - `case.failed`: Processing stopped; `data.problem` says why.
         *     - `case.retried`: Processing went on after an error.
         *     - `link.resent`: The booking link was ordered again.
         *     - `notification.sent`: A message left for the customer.
         *     - `notification.delivered`: The channel reports that a message arrived.
         *     - `notification.failed`: A message could not be sent or delivered for good.
         *     - `booking.confirmed`: A time was confirmed.
         *     - `booking.changed`: Another time was confirmed instead.
         *     - `booking.transferred`: The appointment stands in the provider's calendar.
         *     - `booking.cancelled`: The appointment was cancelled.
         *     - `booking.transfer_refused`: The provider did not take the appointment.
         *     - `booking.change_refused`: The provider did not take the other time: the appointment from before stands.
         *     - `booking.cancelled_by_provider`: The provider cancelled the appointment.
         *     - `booking.moved_by_provider`: The provider moved the appointment.
         *     - `booking.release_unverified`: A cancelled slot was still busy at the provider.
         *     - `assistance.requested`: The customer asked for help.
         *     - `assistance.resolved`: The request for help is settled.
         *     - `verification.completed`: A registry answered about the policy or the referral.
         */
        EventType: ("case.created" | "case.deadline_moved" | "case.reopened" | "case.deadline_expired" | "case.contact_changed" | "case.name_corrected" | "contact.disowned" | "case.recalled" | "case.archived" | "case.erased" | "case.restored" | "case.failed" | "case.retried" | "link.resent" | "notification.sent" | "notification.delivered" | "notification.failed" | "booking.confirmed" | "booking.changed" | "booking.transferred" | "booking.cancelled" | "booking.transfer_refused" | "booking.change_refused" | "booking.cancelled_by_provider" | "booking.moved_by_provider" | "booking.release_unverified" | "assistance.requested" | "assistance.resolved" | "verification.completed") | string;
        /** @description What this type of event tells beyond status and booking. Ids, codes and dates; nothing personal. */
        EventData: {
            /** @description In `case.created`. */
            treatmentType?: string;
            /**
             * Format: date
             * @description The last day to book, from then on. In `case.created`, `case.deadline_moved`, `case.restored`.
             */
            bookingDeadline?: string;
            /**
             * Format: date
             * @description The last day to book, until then. In `case.deadline_moved`.
             */
            formerDeadline?: string;
            /**
             * Format: uuid
             * @description The booking that the event is about; `providerId`, `start` and `end` are this one’s. In `case.restored`, `booking.confirmed`, `booking.changed`, `booking.transferred`, `booking.cancelled`, `booking.transfer_refused`, `booking.change_refused`, `booking.cancelled_by_provider`, `booking.moved_by_provider`, `booking.release_unverified`.
             */
            bookingId?: string;
            /** @description In `case.restored`, `booking.confirmed`, `booking.changed`, `booking.change_refused`, `booking.moved_by_provider`. */
            providerId?: string;
            /**
             * Format: date-time
             * @description When the appointment begins. In `case.restored`, `booking.confirmed`, `booking.changed`, `booking.change_refused`, `booking.moved_by_provider`.
             */
            start?: string;
            /**
             * Format: date-time
             * @description When it ends. In `case.restored`, `booking.confirmed`, `booking.changed`, `booking.change_refused`, `booking.moved_by_provider`.
             */
            end?: string;
            /**
             * Format: uuid
             * @description The booking that was there before. In `booking.changed`.
             */
            replaces?: string;
            /**
             * Format: uuid
             * @description The booking that the provider did not take. In `booking.change_refused`.
             */
            refused?: string;
            /** @description Whether somebody else had taken the time at the provider. In `booking.transfer_refused`, `booking.change_refused`. */
            gone?: boolean;
            /**
             * @description As in the case’s `problem.code`. In `case.failed`.
             * @enum {string}
             */
            problem?: "UNDELIVERABLE" | "TRANSFER_REFUSED" | "INTERNAL";
            /** @description In `case.contact_changed`, `contact.disowned`, `link.resent`. */
            channels?: ("email" | "sms")[];
            /** @description What was corrected. In `case.name_corrected`. */
            fields?: ("patientFirstName" | "patientLastName")[];
            /**
             * @description In `notification.sent`, `notification.delivered`, `notification.failed`.
             * @enum {string}
             */
            channel?: "email" | "sms";
            /** @description What a message is for. In `notification.sent`, `notification.delivered`, `notification.failed`. */
            kind?: components["schemas"]["MessageKind"];
            /**
             * @description Why a message failed for good; null where it has not. There may be more.
             *
             *     - `no_address`: The case had no address for the channel any more.
             *     - `invalid_address`: It is no address of the channel.
             *     - `address_refused`: Nobody is reached at the address, or its server takes nothing for it.
             *     - `no_sms`: The number takes no SMS, as a fixed line.
             *     - `unreachable`: The telephone could not be reached for days, or no route leads there.
             *     - `blocked`: The telephone or its network blocks such messages.
             *     - `opted_out`: Its owner has answered that nothing more shall come.
             *     - `not_delivered`: The channel reports that it did not arrive, and not why.
             *     - `gave_up`: The channel could not take it for so long that it was given up. In `notification.sent`, `notification.delivered`, `notification.failed`.
             */
            reason?: string | null;
            /**
             * @description Of what. In `verification.completed`.
             * @enum {string}
             */
            verification?: "policy" | "referral";
            /**
             * @description In `verification.completed`.
             * @enum {string}
             */
            outcome?: "verified" | "not_verified";
            /** @description Why it is not verified. Empty when it is. In `verification.completed`. */
            reasons?: components["schemas"]["VerificationReason"][];
            /** @description What of the case is lost, or may be older than what you sent last: send names and addresses again with `PATCH /cases/{caseId}`. In `case.restored`. */
            lost?: ("partnerCaseId" | "patientFirstName" | "patientLastName" | "patientEmail" | "patientPhone" | "injuryDate" | "injuryDescription")[];
        };
        /** @description A page of a case’s events, the oldest first. */
        Timeline: {
            data: components["schemas"]["Event"][];
            /** @description Send it as `cursor` to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description An account that can log in. */
        Activated: {
            /** @description The account. */
            email: string;
            partner: {
                id: string;
                name: string;
            };
            /** @description The secret of the one-time codes, for an authenticator app, which also reads it as a QR code. It is shown this once; whoever loses it needs a new activation. */
            otpauthUri: string;
        };
        /** @description An access token, good for an hour. */
        PartnerLogin: {
            /** @description For the header `Authorization: Bearer …`. */
            accessToken: string;
            /** @constant */
            tokenType: "Bearer";
            /**
             * Format: date-time
             * @description 60 minutes from the login.
             */
            expiresAt: string;
        };
        /** @description Who is logged in, and for which partner. */
        PartnerUser: {
            /** @description The account. */
            email: string;
            partner: {
                id: string;
                name: string;
            };
            /**
             * Format: date-time
             * @description When the access token ends.
             */
            expiresAt: string;
        };
        /** @description Nobody is logged in any more. */
        PartnerLogout: {
            authenticated: boolean;
        };
        /** @description The keys of a partner. */
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
        };
        /** @description An API key, without its secret. */
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The key’s beginning, to tell it from others. */
            hint: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it ends or ended: as it was created, or after a rotation.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revokedAt: string | null;
            /** @description What it may do. */
            scopes: ("cases:read" | "cases:write")[];
            /** @description From where it is good, in CIDR; null: from everywhere. */
            allowedNetworks: string[] | null;
        };
        /** @description An API key, with its secret. */
        NewApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The key’s beginning, to tell it from others. */
            hint: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it ends or ended: as it was created, or after a rotation.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revokedAt: string | null;
            /** @description What it may do. */
            scopes: ("cases:read" | "cases:write")[];
            /** @description From where it is good, in CIDR; null: from everywhere. */
            allowedNetworks: string[] | null;
            /** @description The key itself. It is shown this once: keep it safe now. */
            apiKey: string;
        };
        /** @description A new API key, and the one that it replaces. */
        RotatedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The key’s beginning, to tell it from others. */
            hint: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it ends or ended: as it was created, or after a rotation.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revokedAt: string | null;
            /** @description What it may do. */
            scopes: ("cases:read" | "cases:write")[];
            /** @description From where it is good, in CIDR; null: from everywhere. */
            allowedNetworks: string[] | null;
            /** @description The key itself. It is shown this once: keep it safe now. */
            apiKey: string;
            /** @description The old key. */
            replaces: {
                /** Format: uuid */
                id: string;
                /**
                 * Format: date-time
                 * @description Until when the old key goes on.
                 */
                expiresAt: string;
            };
        };
        /** @description A page of your calls, the newest first. */
        PartnerRequestList: {
            data: components["schemas"]["PartnerRequest"][];
            /** @description Send it as `cursor` to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A call of yours. */
        PartnerRequest: {
            /**
             * Format: date-time
             * @description When it came.
             */
            at: string;
            method: string;
            /** @description As this description has it, with the names of its parameters; null where there is nothing. */
            route: string | null;
            /** @description With which HTTP status it was answered. */
            status: number;
            /**
             * Format: uuid
             * @description Its `X-Request-Id`.
             */
            requestId: string;
            /** @description Your `X-Correlation-ID`. */
            correlationId: string | null;
            /**
             * Format: uuid
             * @description With which key; null where a user was logged in.
             */
            apiKeyId: string | null;
            /**
             * Format: uuid
             * @description Which user; null where it was done with a key.
             */
            userId: string | null;
        };
        /** @description A case in each status. */
        SandboxSeed: {
            data: components["schemas"]["Case"][];
        };
        /** @description A page of messages, the oldest first. */
        SandboxMessages: {
            data: components["schemas"]["SandboxMessage"][];
            /** @description Send it as `cursor` to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A message as the test environment sent it. */
        SandboxMessage: {
            /** Format: uuid */
            caseId: string;
            kind: components["schemas"]["MessageKind"];
            /** @enum {string} */
            channel: "email" | "sms";
            /** @description The address as the case had it. */
            to: string;
            /** @description null for an SMS. */
            subject: string | null;
            /** @description What the customer would have read. */
            text: string;
            /**
             * Format: date-time
             * @description When it left.
             */
            at: string;
        };
        /** @description What anybody with the link may know. */
        BookingOfAnybody: {
            /** Format: uuid */
            caseId: string;
            /** @description Whether it can still be booked. */
            open: boolean;
            /**
             * Format: date
             * @description The last day to book.
             */
            bookingDeadline: string;
            /** @description The insurer. */
            partnerName: string;
            authenticated: boolean;
        };
        /** @description What the customer sees after the eID login. */
        BookingOfCustomer: {
            /** Format: uuid */
            caseId: string;
            /** @description Whether it can still be booked. */
            open: boolean;
            /**
             * Format: date
             * @description The last day to book.
             */
            bookingDeadline: string;
            /** @description The insurer. */
            partnerName: string;
            authenticated: boolean;
            /** @enum {string} */
            status: "pending_patient_action" | "booked" | "deadline_expired" | "assistance_requested" | "recalled" | "archived" | "error";
            treatmentType: string;
            patientFirstName: string;
            booking: components["schemas"]["Booking"] | null;
            allowedActions: ("confirm" | "change" | "cancel" | "requestAssistance")[];
        };
        /** @description Where the customer authenticates. */
        LoginBegun: {
            /** Format: uri */
            authorizationUrl: string;
        };
        /** @description The providers’ live free times. */
        Availability: {
            /** @description By time; empty where there is none. */
            slots: components["schemas"]["OfferedTime"][];
            /** @description Who was asked. */
            providers: {
                id: string;
                name: string;
                /**
                 * @description `unavailable`: its booking system does not answer now, so its times are missing.
                 * @enum {string}
                 */
                state: "live" | "unavailable";
                /**
                 * Format: date-time
                 * @description When it was asked.
                 */
                asOf: string;
            }[];
        };
        /** @description The request for help is kept. */
        AssistanceReceived: {
            /** Format: uuid */
            caseId: string;
            received: boolean;
        };
        /** @description There is no session any more. */
        LoggedOut: {
            /** Format: uuid */
            caseId: string;
            authenticated: boolean;
        };
        /** @description An OpenAPI document. */
        ApiDescription: {
            /** @constant */
            openapi: "3.1.0";
            info: {
                title: string;
                version: string;
            } & {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description What was asked for is wrong, or not possible now. `details.code` says what it is. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Who asks is not known, or not accepted. `details.code` says what it is. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Who asks is known, and may not. `details.code` says what it is. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It is not there, or not yours. `details.code` says what it is. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. `details.code` says what it is. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something of ours, or behind us, does not work. `details.code` says what it is. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description By this id we find the request in our log. Keep it; quote it when you report a problem. */
        "X-Request-Id": string;
        /** @description As you sent it, where you did: what you call the request in your own logs, up to 100 letters, digits and `. _ : / -`. It stands in `GET /auth/requests`. */
        "X-Correlation-ID": string;
        /**
         * @description What is left: `r` requests for the next `t` seconds.
         * @example "authenticated"; r=497; t=42
         */
        RateLimit: string;
        /**
         * @description The limit that counts here: `q` requests in `w` seconds.
         * @example "authenticated"; q=500; w=60; pk=:YWJjZGVmZ2hpams=:
         */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before trying again. Without it, trying again does not help. */
        "Retry-After": number;
        /**
         * @description How to show who you are: `ApiKey` in the header `X-API-Key`, `Bearer`, or by the `eID`.
         * @example ApiKey
         */
        "WWW-Authenticate": string;
        /** @description The address of what was made. */
        Location: string;
        /** @description `true`: this is the first request’s answer again; nothing more was done. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCases: {
        parameters: {
            query?: {
                /** @description Cases in this status, or in any of several: `status=booked&status=error`. */
                status?: ("pending_patient_action" | "booked" | "deadline_expired" | "assistance_requested" | "recalled" | "archived" | "error")[];
                /** @description Cases with exactly this reference of yours. */
                partnerCaseId?: string;
                /** @description Cases of this treatment. */
                treatmentType?: string;
                /** @description Cases handed over at this time or later. An instant, or a date: then 00:00 of that day in Norway. */
                createdFrom?: string;
                /** @description Cases handed over before this time. An instant, or a date: then 00:00 of that day in Norway. */
                createdTo?: string;
                /** @description Cases changed at this time or later. An instant, or a date: then 00:00 of that day in Norway. */
                updatedSince?: string;
                /** @description How many entries a page has at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before, as it was given. Left out: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cases. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createCase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your own reference: unique per treatment type among your cases that are not recalled or archived. Letters, digits, spaces and `. _ : / # -`. Never a Norwegian national identity number, nor one with something around it or between its digits. */
                    partnerCaseId: string;
                    /** @description As the eID has it: the customer who logs in is matched by name. Accents and case do not count. */
                    patientFirstName: string;
                    /** @description As the eID has it: the customer who logs in is matched by name. Accents and case do not count. */
                    patientLastName: string;
                    /**
                     * Format: email
                     * @description Gets the booking link. At least one of e-mail address and phone number must be given. A domain with letters beyond ASCII (kari@blåbær.example) is kept in its ASCII form, as mail servers have it.
                     */
                    patientEmail?: string | null;
                    /** @description Gets the booking link by SMS. With country prefix; `00`, blanks, dashes and parentheses are tolerated, and it is kept as E.164. A number that can not get SMS needs an e-mail address beside it: a fixed line, or a number of a country that SMS are not sent to (usually those outside the European Economic Area). */
                    patientPhone?: string | null;
                    /**
                     * Format: date
                     * @description The day of the injury, not in the future.
                     */
                    injuryDate: string;
                    /** @description For the provider who treats. The customer is never shown it. */
                    injuryDescription?: string | null;
                    /** @description What is to be treated: a `treatmentType` that `GET /treatment-types` lists. It may list more later. */
                    treatmentType: "psychology" | string;
                    /**
                     * Format: date
                     * @description The last day on which the customer can book: today up to 365 days ahead. The case expires at 00:00 the next day in Norway.
                     */
                    bookingDeadline: string;
                };
            };
        };
        responses: {
            /** @description The case. `Location` is its address. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    getCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    changeCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date
                     * @description The last day on which the customer can book: today up to 365 days ahead. The case expires at 00:00 the next day in Norway.
                     */
                    bookingDeadline?: string;
                    /**
                     * Format: email
                     * @description Gets the booking link. At least one of e-mail address and phone number must be given. A domain with letters beyond ASCII (kari@blåbær.example) is kept in its ASCII form, as mail servers have it.
                     */
                    patientEmail?: string;
                    /** @description Gets the booking link by SMS. With country prefix; `00`, blanks, dashes and parentheses are tolerated, and it is kept as E.164. A number that can not get SMS needs an e-mail address beside it: a fixed line, or a number of a country that SMS are not sent to (usually those outside the European Economic Area). */
                    patientPhone?: string;
                    /** @description As the eID has it: the customer who logs in is matched by name. Accents and case do not count. */
                    patientFirstName?: string;
                    /** @description As the eID has it: the customer who logs in is matched by name. Accents and case do not count. */
                    patientLastName?: string;
                };
            };
        };
        responses: {
            /** @description The case as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    resendLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Only there; left out, on every channel for which the case has an address.
                     * @enum {string|null}
                     */
                    channel?: "email" | "sms" | null;
                };
            };
        };
        responses: {
            /** @description The case. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    recallCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; for you to read again on the case. The customer is not told. */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The case, recalled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    archiveCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case, archived. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listTreatmentTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every kind of treatment that somebody offers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreatmentTypeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description How many entries a page has at most. */
                limit?: number;
                /** @description The `nextCursor` of the answer before, as it was given. Left out: see `from`. */
                cursor?: string;
                /** @description Where to begin without a cursor: with the first event there is (`beginning`, unless you say otherwise), or behind the last one (`now`). */
                from?: "beginning" | "now";
                /** @description Events of this type, or of any of several: `type=case.failed&type=case.recalled`. */
                type?: ("case.created" | "case.deadline_moved" | "case.reopened" | "case.deadline_expired" | "case.contact_changed" | "case.name_corrected" | "contact.disowned" | "case.recalled" | "case.archived" | "case.erased" | "case.restored" | "case.failed" | "case.retried" | "link.resent" | "notification.sent" | "notification.delivered" | "notification.failed" | "booking.confirmed" | "booking.changed" | "booking.transferred" | "booking.cancelled" | "booking.transfer_refused" | "booking.change_refused" | "booking.cancelled_by_provider" | "booking.moved_by_provider" | "booking.release_unverified" | "assistance.requested" | "assistance.resolved" | "verification.completed")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came behind the cursor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listCaseEvents: {
        parameters: {
            query?: {
                /** @description How many entries a page has at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before, as it was given. Left out: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    verifyPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The number of the policy, as the registry has it. It is not kept. */
                    policyNumber: string;
                };
            };
        };
        responses: {
            /** @description What the registry says. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    verifyReferral: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The number of the referral, as the registry has it. It is not kept. */
                    referralNumber: string;
                };
            };
        };
        responses: {
            /** @description What the registry says. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    activate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one-time token that our operator gave you: `tb_act_…`, good for 72 hours. */
                    activationToken: string;
                    /**
                     * Format: password
                     * @description 12 to 256 characters, whichever; not the e-mail address, and none of those that are tried first (common ones and their variations, sequences, your own or your company’s name).
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The account can log in now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activated"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Upper and lower case are the same. */
                    email: string;
                    /**
                     * Format: password
                     * @description As it was chosen at the activation.
                     */
                    password: string;
                    /** @description What the authenticator app shows for the `otpauthUri` of the activation (TOTP, RFC 6238); each code is good once. Required in production; in the test environment it may be left out. */
                    oneTimeCode?: string;
                };
            };
        };
        responses: {
            /** @description An access token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerLogin"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, and the partner whose keys it manages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access token is good no more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerLogout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Up to 100 keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description As it was chosen at the activation.
                     */
                    password: string;
                    /** @description What the key is for, such as the system that uses it. */
                    name: string;
                    /**
                     * Format: date-time
                     * @description When the key ends by itself: an instant to come. Left out, it goes on until it is revoked.
                     */
                    expiresAt?: string;
                    /** @description What the key may do: `cases:read` is for every GET, `cases:write` for all else. Left out: both. */
                    scopes?: ("cases:read" | "cases:write")[];
                    /**
                     * @description From where the key is good: the networks that your calls come from, in CIDR. Null or left out: from everywhere.
                     * @default null
                     * @example [
                     *       "192.0.2.0/24",
                     *       "2001:db8::/32"
                     *     ]
                     */
                    allowedNetworks?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The key’s `id` (not the key itself). */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description As it was chosen at the activation.
                     */
                    password: string;
                    /**
                     * @description How long the old key goes on; 0 ends it at once.
                     * @default 24
                     */
                    overlapHours?: number;
                    /**
                     * Format: date-time
                     * @description When the new key ends by itself. Left out: as the old one was to.
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key’s `id` (not the key itself). */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description How many entries a page has at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before, as it was given. Left out: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerRequestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxSeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cases, one in each status. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSeed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxExpire: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxRequestAssistance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxResolveAssistance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxBounce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxFailTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxProviderCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxPassAppointment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxAdvance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then it is done once. Kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many, of 24 hours each. */
                    days: number;
                };
            };
        };
        responses: {
            /** @description The case as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Case"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sandboxListMessages: {
        parameters: {
            query: {
                /** @description Whose messages. */
                caseId: string;
                /** @description How many entries a page has at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before, as it was given. Left out: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxMessages"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case, as far as the caller may know it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingOfAnybody"] | components["schemas"]["BookingOfCustomer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    beginLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the customer authenticates. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginBegun"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listAvailability: {
        parameters: {
            query?: {
                /** @description The first day, in Norway; left out, today. */
                from?: string;
                /** @description The last day, at most 90 days after `from`; left out, 14 days after it. */
                to?: string;
                /** @description Only this provider’s times. */
                providerId?: string;
                /** @description Only times in this town. */
                town?: string;
                /** @description Only times of this kind. */
                mode?: "in_person" | "video";
                /** @description Only times that begin before 12:00, from then to 17:00, or later, on the clock in Norway. */
                partOfDay?: "morning" | "afternoon" | "evening";
            };
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Free times, by time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    confirmBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Which time: its `slotId` in the availability. */
                    slotId: string;
                };
            };
        };
        responses: {
            /** @description What is booked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Booking"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    cancelBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case, open again until its deadline. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingOfCustomer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    requestAssistance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For our operator only. Nothing about health, please. */
                    message?: string | null;
                    /**
                     * @description How our operator should answer.
                     * @enum {string|null}
                     */
                    preferredContact?: "phone" | "email" | null;
                    /** @description Whom to call. Needed for a call where the case has no number, and from a helper. */
                    phone?: string | null;
                    /**
                     * @description When to call: before noon or after it.
                     * @enum {string|null}
                     */
                    bestTime?: "morning" | "afternoon" | null;
                    /** @description The language that an interpreter is needed for, in words. */
                    interpreter?: string | null;
                    /** @description Who asks for the customer: for a child, or as a guardian. */
                    helper?: components["schemas"]["Helper"] | null;
                };
            };
        };
        responses: {
            /** @description The request is kept, and our operator is told. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistanceReceived"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    endLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case’s `id`, in upper or lower case. */
                caseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no session any more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedOut"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    readDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole API. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiDescription"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
}
