import { z } from 'zod';
import { operation } from '../operation.ts';

export const listTreatmentTypes = operation({
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
