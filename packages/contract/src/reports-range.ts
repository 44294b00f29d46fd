import { z } from 'zod'
import { currency, instant, minorUnits } from './primitives.ts'

export const reportRanges = ['last_7_days', 'last_30_days', 'last_90_days', 'last_year', 'custom'] as const
export const reportRange = z.enum(reportRanges)
export type ReportRange = z.output<typeof reportRange>

export const comparisons = ['previous', 'last_year'] as const

/** `from` and `to` are days in the time zone, both included; only a custom range has them. */
export const rangeQuery = {
  range: reportRange.default('last_30_days'),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  compare: z.enum(comparisons).default('previous'),
  /** IANA name; the account's unless told. */
  time_zone: z.string().max(64).optional(),
}

/** Where what was asked for begins and ends; `until` is the first moment that is not part of it. */
export const period = z.object({ from: instant, until: instant, first_day: z.iso.date(), last_day: z.iso.date() })

export const reportPeriod = z.object({
  range: reportRange,
  current: period,
  compared: period,
  compare: z.enum(comparisons),
  time_zone: z.string(),
  /** The account has none set, so days are UTC. */
  time_zone_is_default: z.boolean(),
})
export type ReportPeriod = z.output<typeof reportPeriod>

/** Unknown is null, and then `reason` says why. */
export const figure = z.object({ value: z.number().nullable(), reason: z.string().nullable() })
export type Figure = z.output<typeof figure>

/** A figure in both periods, measured the same way. `percent` is null where there is nothing to compare with. */
export const change = z.object({
  current: z.number().nullable(),
  compared: z.number().nullable(),
  percent: z.number().nullable(),
  reason: z.string().nullable(),
  definition: z.string(),
})
export type Change = z.output<typeof change>

export const moneyFigure = z.object({ amount: minorUnits.nullable(), currency, reason: z.string().nullable() })

/** What a figure means, one click from it. */
export const definition = z.object({ figure: z.string(), text: z.string() })
