import type { Dependencies } from '../dependencies.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/treatment-types.ts';

/** What may be asked for, and who treats it: contract §1. */
export function treatmentTypeRoutes(add: Add, { treatmentTypes }: Dependencies): void {
  add(described.listTreatmentTypes, async () => {
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
