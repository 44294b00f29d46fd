import { z } from 'zod'

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** ISO 4217, lower case as the provider spells it. */
export const currency = z.string().regex(/^[a-z]{3}$/)

/** An amount in the currency's minor unit. */
export const minorUnits = z.int()

export const money = z.object({ amount: minorUnits, currency })
export type Money = z.output<typeof money>

/** A figure now and in the equal period before it. `percent` is null when there is nothing to compare with. */
export const trend = z.object({
  current: z.number(),
  previous: z.number().nullable(),
  percent: z.number().nullable(),
  /** What was compared, in words. */
  definition: z.string(),
})
export type Trend = z.output<typeof trend>

const limitText = 'must be a whole number from 1 to 100'
const limit = z.coerce.number({ error: limitText }).int(limitText).min(1, limitText).max(100, limitText)

/** Cursor paging as Stripe does it. */
export const pageQuery = (defaultLimit: number) => ({
  limit: limit.default(defaultLimit),
  starting_after: z.string().min(1).max(255).optional(),
  ending_before: z.string().min(1).max(255).optional(),
})

export const searchText = z.string().trim().max(200)

/** A field name, `-` before it for descending. */
export const sortOf = <const F extends readonly [string, ...string[]]>(fields: F) =>
  z.enum([...fields, ...fields.map((field) => `-${field}`)] as unknown as [F[number] | `-${F[number]}`])

/** Several values in one parameter, separated by commas. */
export const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(item).max(50))

/** How old what is mirrored is: what changed later may be missing. null until the first import is complete. */
export const mirroredAsOf = instant.nullable()

export const failedSection = z.object({ ok: z.literal(false), error: z.string(), code: z.string() })

/** Part of an answer that loads, fails and ages by itself. */
export const section = <T extends z.ZodType>(data: T) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), data, as_of: instant }), failedSection])

export const idParams = z.object({ id: z.string().min(1).max(255) })
export const count = z.int().min(0)
