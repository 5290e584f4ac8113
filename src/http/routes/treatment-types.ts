import type { RequestHandler } from 'express';
import { treatmentTypes } from '../../postgres/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';

/** What may be asked for, and who treats it: contract §1. */
export const listTreatmentTypes =
  ({ database }: Dependencies): RequestHandler =>
  async (_req, res) => {
    const types = await treatmentTypes(database);
    res.json({
      data: types.map(({ code, name_nb, name_en, providers }) => ({
        treatmentType: code,
        name: { nb: name_nb, en: name_en },
        providers,
      })),
    });
  };
