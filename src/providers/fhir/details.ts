import { z } from 'zod';
import type { Mode, SlotDetails } from '../../domain/slot.ts';
import type { Known } from '../../fhir/resources.ts';
import { phoneIn, plainText, positionAt, townInAddress, townNamed } from '../details.ts';

/** Whom and what a slot names, as far as the server told. */
interface Named {
  readonly practitioner: Known<'Practitioner'> | null;
  readonly role: Known<'PractitionerRole'> | null;
  /** Where the slot is, and where else the practitioner works. */
  readonly locations: readonly Known<'Location'>[];
  readonly services: readonly Known<'HealthcareService'>[];
}

/**
 * What the clinic says of the place and of who treats: Location (address, position, telecom, description),
 * HealthcareService (extraDetails, comment, telecom), Practitioner (communication, gender, qualification) and
 * PractitionerRole.code. What is malformed here is left out by itself, and costs nobody a time.
 */
export function detailsOf({ practitioner, role, locations, services }: Named, mode: Mode): SlotDetails {
  const [place] = locations;
  const { address, position, description } = told.parse(place ?? {});
  const inPerson = mode === 'in_person';
  const described = [
    description,
    ...services.map((one) => told.parse(one)).map(({ extraDetails, comment }) => extraDetails ?? comment),
  ];
  const person = told.parse(practitioner ?? {});
  return {
    town: inPerson ? (townNamed(address?.city) ?? townInAddress(address?.text)) : null,
    phone: [...locations, ...services].map(phoneOf).find((phone) => phone !== null) ?? null,
    position: inPerson ? positionAt(position?.latitude, position?.longitude) : null,
    instructions: plainText([...new Set(described)].filter(Boolean).join('\n')),
    languages: [...new Set(person.communication?.flatMap(languagesOf))],
    gender: person.gender ?? null,
    profession: nameOf(person.qualification?.map(({ code }) => code)) ?? nameOf(told.parse(role ?? {}).code),
  };
}

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const list = <T extends z.ZodType>(one: T) => z.array(one).optional().catch(undefined);
const concept = z.object({ text, coding: list(z.object({ code: text, display: text })) });

/** Of any of these resources. */
const told = z.object({
  address: z.object({ city: text, text }).optional().catch(undefined),
  position: z.object({ latitude: number, longitude: number }).optional().catch(undefined),
  description: text,
  extraDetails: text,
  comment: text,
  telecom: list(z.object({ system: text, value: text })),
  communication: list(concept),
  gender: z.enum(['female', 'male']).optional().catch(undefined),
  qualification: list(z.object({ code: concept })),
  code: list(concept),
});

const phoneOf = (resource: unknown): string | null =>
  phoneIn(told.parse(resource).telecom?.find(({ system }) => system === 'phone')?.value);

/** The language alone (`nb` of `nb-NO`): BCP 47. */
const languagesOf = ({ coding = [] }: z.infer<typeof concept>): string[] =>
  coding.flatMap(({ code }) => /^([a-z]{2,3})(-|$)/i.exec(code ?? '')?.[1]?.toLowerCase() ?? []);

const nameOf = (concepts: readonly z.infer<typeof concept>[] | undefined): string | null =>
  concepts
    ?.map((one) => plainText(one.text ?? one.coding?.find(({ display }) => display !== undefined)?.display))
    .find((name) => name !== null) ?? null;
