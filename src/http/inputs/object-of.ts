import { z } from 'zod';

/** The object that an input takes, before what is made of it. */
export function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectOf(schema.def.in as z.ZodType);
  throw new Error('an input is an object');
}
