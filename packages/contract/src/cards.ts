import { z } from 'zod'

/** A card in the words of the provider; null where it did not say. */
export const card = z.object({
  brand: z.string().nullable(),
  last4: z.string().nullable(),
  exp_month: z.int().nullable(),
  exp_year: z.int().nullable(),
})
export type Card = z.output<typeof card>
