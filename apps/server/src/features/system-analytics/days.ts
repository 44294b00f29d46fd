import { invalidParameter } from '../../platform/errors.ts'

const dayMs = 86_400_000

/** Days in UTC, as Cloudflare keeps them; both included. */
export type Days = { first: string; last: string }

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** So many days, today the last of them. */
export const lastDays = (now: number, count: number): Days => ({
  first: dateOf(now - (count - 1) * dayMs),
  last: dateOf(now),
})

const usualDays = 30

export function daysOf(
  { start_date: first, end_date: last }: { start_date?: string | undefined; end_date?: string | undefined },
  now: number,
): Days {
  if (first === undefined || last === undefined) return lastDays(now, usualDays)
  const today = dateOf(now)
  if (first > today) throw invalidParameter('start_date', 'must not be in the future')
  return { first, last: last > today ? today : last }
}

export function namesOf({ first, last }: Days): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  return Array.from({ length: (to - from) / dayMs + 1 }, (_, index) => dateOf(from + index * dayMs))
}
