"""What the fuzzer brings with each call, and what it holds against an answer beside its own checks."""

import itertools
import json
import os
import random

import schemathesis

settings = json.loads(os.environ["FUZZ"])
keys = itertools.cycle(settings["keys"])
# not the module's own, which the fuzzer sets back before each call: all would come from one address, and be limited
chance = random.SystemRandom()

# Rules that a schema can not tell: of dates, of what there is, of fields that depend on each other.
BEYOND_SCHEMAS = {
    "invalid_date", "invalid_time", "in_the_future", "in_the_past", "too_far_ahead", "before_from", "too_long",
    "invalid_cursor", "invalid_character", "invalid_phone", "no_sms", "no_address", "unknown_treatment_type", "contact_required",
    "national_identity_number", "identity_bound", "invalid_format", "invalid_email", "invalid_network", "nothing_to_change", "required", "is_email",
}  # fmt: skip


@schemathesis.hook
def before_call(context, case, kwargs):
    """Another of many keys and addresses each time, so that no limit ends the run early; and cases that there are."""
    headers = case.headers
    headers["X-Forwarded-For"] = "10.%d.%d.%d" % tuple(chance.randrange(256) for _ in range(3))
    # only in place of the one given for the run: a call without, or with a wrong one, stays as it is
    if headers.get("X-API-Key") == settings["keys"][0]:
        headers["X-API-Key"] = next(keys)
    # a logout would end the run's session
    own = "Bearer " + settings["accessToken"]
    if case.path == "/auth/logout" and headers.get("Authorization") == own:
        headers["Authorization"] = "Bearer " + chance.choice(settings["accessTokens"])
    # a wrong password is a failure of the account's, and ten of them close it
    if isinstance(case.body, dict) and "password" in case.body and case.meta.generation.mode.is_positive:
        if case.path.startswith("/auth/api-keys") or (case.path == "/auth/login" and chance.random() < 0.5):
            case.body.update({name: value for name, value in settings["user"].items() if name in case.body})
    if "caseId" in (case.path_parameters or {}) and chance.random() < 0.5:
        if case.path.startswith("/booking/"):
            case.path_parameters["caseId"] = settings["caseId"]
            headers["Origin"] = settings["origin"]
        else:
            case.path_parameters["caseId"] = chance.choice(settings["caseIds"])


@schemathesis.check
def the_code_is_among_those_of_the_call(context, response, case):
    """All errors have one schema: which codes a call may answer is said beside it."""
    if response.status_code >= 400:
        code, said = response.json()["details"]["code"], case.operation.definition.raw["x-error-codes"]
        # an id that is no path segment is another address
        if code not in said and code != "NOT_FOUND":
            raise AssertionError(f"{code} is not among those of the call: {said}")


@schemathesis.check
def what_the_description_allows_is_not_malformed(context, response, case):
    """A 400 for what a status does not allow is an answer; one for a field which the description allows is a fault."""
    if response.status_code != 400 or not case.meta.generation.mode.is_positive:
        return
    details = response.json()["details"]
    if details["code"] in ("INVALID_JSON", "INVALID_CONTENT_TYPE", "BODY_TOO_LARGE", "MALFORMED_REQUEST"):
        raise AssertionError(f"the description allows it: {details['code']}")
    beyond = [fault for fault in details.get("fields", []) if fault["code"] not in BEYOND_SCHEMAS]
    if beyond:
        raise AssertionError(f"the description allows it: {beyond}")
