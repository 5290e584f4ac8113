import booking.*;
import booking.api.*;
import booking.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/** What `npm run clients` has each generated client do: hand over, list, read, follow, correct, recall, and be refused. */
public class Scenario {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API"));
    client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("KEY")));
    CasesApi cases = new CasesApi(client);

    CreateCaseRequest handedOver = new CreateCaseRequest()
        .partnerCaseId("java-" + UUID.randomUUID())
        .patientFirstName("Kari").patientLastName("Nordmann").patientEmail("kari.nordmann@example.com")
        .injuryDate(LocalDate.now().minusDays(30)).bookingDeadline(LocalDate.now().plusDays(14))
        .treatmentType(new CreateCaseRequestTreatmentType("psychology"));
    ModelCase created = cases.createCase(handedOver, UUID.randomUUID().toString());
    check("create", created.getStatus() == CaseStatus.PENDING_PATIENT_ACTION);
    CaseList listed = cases.listCases(List.of("pending_patient_action"), null, null, LocalDate.now().minusDays(1).toString(), null, null, 10, null);
    check("list", listed.getData().stream().anyMatch(one -> one.getId().equals(created.getId())));
    check("read", cases.getCase(created.getId()).getBooking() == null);
    check("events", new EventsApi(client).listCaseEvents(created.getId(), null, null).getData().size() > 0);
    LocalDate later = LocalDate.now().plusDays(21);
    check("patch", cases.changeCase(created.getId(), new ChangeCaseRequest().bookingDeadline(later)).getBookingDeadline().equals(later));
    try {
      cases.createCase(handedOver, null);
      check("error", false);
    } catch (ApiException refused) {
      booking.model.Error error = new com.fasterxml.jackson.databind.ObjectMapper().findAndRegisterModules()
          .readValue(refused.getResponseBody(), booking.model.Error.class);
      check("error", error.getStatusCode() == 400 && created.getId().equals(error.getDetails().getCaseId()));
    }
    check("recall", cases.recallCase(created.getId(), new RecallCaseRequest().reason("tried")).getRecall() != null);
  }

  static void check(String what, boolean isSo) {
    System.out.println(what + " " + (isSo ? "ok" : "FAILED"));
    if (!isSo) System.exit(1);
  }
}
