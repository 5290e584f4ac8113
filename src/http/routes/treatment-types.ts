import type { RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.ts';

/** What may be asked for, and who treats it: contract §1. */
export const listTreatmentTypes =
  ({ treatmentTypes }: Dependencies): RequestHandler =>
  async (_req, res) => {
    const types = await treatmentTypes();
    res.json({
      data: types.map(({ code, name_nb, name_en, providers }) => ({
        treatmentType: code,
        name: { nb: name_nb, en: name_en },
        providers,
      })),
    });
  };
