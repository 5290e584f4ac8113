import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { defineOperation } from './operation.ts';
import type { Add } from './route.ts';

export const listTreatmentTypes = defineOperation({
  id: 'listTreatmentTypes',
  method: 'get',
  path: '/treatment-types',
  tag: 'Cases',
  access: 'api key',
  summary: 'What can be treated, and by whom',
  answer: {
    status: 200,
    description: 'Every kind of treatment that somebody offers.',
    schema: z
      .object({
        data: z.array(
          z
            .object({
              treatmentType: z.string().meta({ description: 'Send this when you hand over a case.' }),
              name: z.object({ nb: z.string(), en: z.string() }).meta({ description: 'For people to read.' }),
              providers: z.array(z.object({ id: z.string(), name: z.string() })),
            })
            .meta({ id: 'TreatmentType', description: 'A kind of treatment, and who offers it.' }),
        ),
      })
      .meta({ id: 'TreatmentTypeList', description: 'What can be treated.' }),
    examples: {
      some: {
        summary: 'One kind, one provider',
        value: () => ({
          data: [
            {
              treatmentType: 'psychology',
              name: { nb: 'Psykolog', en: 'Psychologist' },
              providers: [{ id: 'fjordklinikken', name: 'Fjordklinikken' }],
            },
          ],
        }),
      },
    },
  },
});

/** What may be asked for, and who treats it. */
export function treatmentTypeRoutes(add: Add, { treatmentTypes }: Dependencies): void {
  add(listTreatmentTypes, async () => {
    const types = await treatmentTypes();
    return {
      data: types.map(({ code, name_nb, name_en, providers }) => ({
        treatmentType: code,
        name: { nb: name_nb, en: name_en },
        providers: [...providers],
      })),
    };
  });
}
