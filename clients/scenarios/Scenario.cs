using System;
using System.Collections.Generic;
using System.Linq;
using Newtonsoft.Json;
using TreatmentBooking.Api;
using TreatmentBooking.Client;
using TreatmentBooking.Model;

/// What `npm run clients` has each generated client do: hand over, list, read, follow, correct, recall, and be refused.
public static class Scenario
{
    public static void Main()
    {
        var configuration = new Configuration { BasePath = Environment.GetEnvironmentVariable("API") };
        configuration.ApiKey.Add("X-API-Key", Environment.GetEnvironmentVariable("KEY"));
        var http = new System.Net.Http.HttpClient();
        var cases = new CasesApi(http, configuration);
        var today = DateTime.UtcNow.Date;

        var handedOver = new CreateCaseRequest(
            partnerCaseId: "csharp-" + Guid.NewGuid(), patientFirstName: "Kari", patientLastName: "Nordmann",
            patientEmail: "kari.nordmann@example.com", injuryDate: today.AddDays(-30), bookingDeadline: today.AddDays(14),
            treatmentType: new CreateCaseRequestTreatmentType("psychology"));
        var created = cases.CreateCase(handedOver, Guid.NewGuid().ToString());
        Check("create", created.Status == CaseStatus.PendingPatientAction);
        var listed = cases.ListCases(new List<string> { "pending_patient_action" }, createdFrom: today.AddDays(-1).ToString("yyyy-MM-dd"));
        Check("list", listed.Data.Any(one => one.Id == created.Id));
        Check("read", cases.GetCase(created.Id).Booking == null);
        Check("events", new EventsApi(http, configuration).ListCaseEvents(created.Id).Data.Count > 0);
        var later = today.AddDays(21);
        Check("patch", cases.ChangeCase(created.Id, new ChangeCaseRequest(bookingDeadline: later)).BookingDeadline == later);
        try
        {
            cases.CreateCase(handedOver);
            Check("error", false);
        }
        catch (ApiException refused)
        {
            var error = JsonConvert.DeserializeObject<Error>((string)refused.ErrorContent);
            Check("error", error.StatusCode == 400 && error.Details.CaseId == created.Id);
        }
        Check("recall", cases.RecallCase(created.Id, new RecallCaseRequest(reason: "tried")).Recall != null);
    }

    static void Check(string what, bool isSo)
    {
        Console.WriteLine(what + " " + (isSo ? "ok" : "FAILED"));
        if (!isSo) Environment.Exit(1);
    }
}
