"""What `npm run clients` has each generated client do: hand over, list, read, follow, correct, recall, and be refused."""

import datetime
import os
import sys
import uuid

import treatment_booking as booking


def check(what, is_so):
    print(what, "ok" if is_so else "FAILED")
    if not is_so:
        sys.exit(1)


configuration = booking.Configuration(host=os.environ["API"], api_key={"apiKey": os.environ["KEY"]})
today = datetime.date.today()
with booking.ApiClient(configuration) as client:
    cases = booking.CasesApi(client)
    handed_over = booking.CreateCaseRequest(
        partnerCaseId=f"python-{uuid.uuid4()}",
        patientFirstName="Kari",
        patientLastName="Nordmann",
        patientEmail="kari.nordmann@example.com",
        injuryDate=today - datetime.timedelta(days=30),
        treatmentType=booking.CreateCaseRequestTreatmentType("psychology"),
        bookingDeadline=today + datetime.timedelta(days=14),
    )
    created = cases.create_case(handed_over, idempotency_key=str(uuid.uuid4()))
    check("create", created.status == booking.CaseStatus.PENDING_PATIENT_ACTION)
    listed = cases.list_cases(status=["pending_patient_action"], created_from=str(today - datetime.timedelta(days=1)))
    check("list", any(one.id == created.id for one in listed.data))
    check("read", cases.get_case(created.id).booking is None)
    check("events", len(booking.EventsApi(client).list_case_events(created.id).data) > 0)
    later = today + datetime.timedelta(days=21)
    change = booking.ChangeCaseRequest(bookingDeadline=later)
    check("patch", cases.change_case(created.id, change).booking_deadline == later)
    try:
        cases.create_case(handed_over)
        check("error", False)
    except booking.ApiException as refused:
        error = refused.data
        check("error", error.status_code == 400 and error.details.case_id == created.id)
    check("recall", cases.recall_case(created.id, booking.RecallCaseRequest(reason="tried")).recall is not None)
