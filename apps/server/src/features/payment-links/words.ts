import { moneyText } from '../../platform/money-text.ts'

/** One thing that a link sells. */
export type Line = {
  quantity: number | null
  /** Of one of them, where each costs the same. */
  unit: number | null
  /** Of the whole quantity, for one period; null where the customer decides. */
  amount: number | null
  /** null: paid once. */
  interval: string | null
  interval_count: number | null
  is_metered: boolean
  adjustable: { minimum: number; maximum: number } | null
}

export type Terms = {
  currency: string
  trial_days: number | null
  allow_promotion_codes: boolean
  lines: readonly Line[]
}

const chosen = 'an amount of the customer’s choice'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `per month`, `every 3 months` */
function periodText({ interval, interval_count: every }: Pick<Line, 'interval' | 'interval_count'>): string {
  return every === null || every === 1 ? `per ${interval}` : `every ${every} ${interval}s`
}

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

/** `$58.00 per month (2 × $29.00)` */
export function lineText(line: Line, currency: string): string {
  const { quantity, unit, amount, interval } = line
  const when = interval === null ? 'once' : periodText(line)
  if (line.is_metered) return `By usage, billed ${when}`
  if (amount === null) return `${capital(chosen)}, ${when}`
  const isPlain = quantity !== null && quantity > 1 && unit !== null && unit * quantity === amount
  const each = isPlain ? ` (${quantity} × ${moneyText(unit, currency)})` : ''
  const many = !isPlain && quantity !== null && quantity > 1 ? ` for ${quantity}` : ''
  return `${moneyText(amount, currency)}${many} ${when}${each}`
}

const sum = (lines: readonly Line[]): number | null =>
  lines.reduce<number | null>((all, { amount }) => (all === null || amount === null ? null : all + amount), 0)

type Parts = {
  /** Paid once; undefined: nothing is. */
  once: number | null | undefined
  /** By period, in the order of the lines. */
  running: { amount: number | null; when: string }[]
  isMetered: boolean
}

function partsOf(lines: readonly Line[]): Parts {
  const sold = lines.filter(({ is_metered }) => !is_metered)
  const once = sold.filter(({ interval }) => interval === null)
  const running = Map.groupBy(
    sold.filter(({ interval }) => interval !== null),
    periodText,
  )
  return {
    once: once.length === 0 ? undefined : sum(once),
    running: [...running].map(([when, same]) => ({ when, amount: sum(same) })),
    isMetered: sold.length < lines.length,
  }
}

const figure = (amount: number | null, currency: string): string =>
  amount === null ? chosen : moneyText(amount, currency)

const runningText = ({ running }: Parts, currency: string): string =>
  running.map(({ amount, when }) => `${figure(amount, currency)} ${when}`).join(' and ')

/** `14 days free, then $29.00 per month` */
export function termsText({ lines, currency, trial_days: days }: Terms): string {
  const parts = partsOf(lines)
  const [only, ...others] = lines
  const runs = parts.running.length > 0 || parts.isMetered
  const then =
    only && others.length === 0 && only.interval !== null
      ? lineText(only, currency)
      : [runningText(parts, currency), parts.isMetered ? 'usage' : ''].filter((text) => text !== '').join(' plus ')
  if (!runs) return capital(only && others.length === 0 ? lineText(only, currency) : onceText(parts, currency))
  const before = [
    ...(parts.once === undefined ? [] : [onceText(parts, currency)]),
    ...(days ? [`${daysText(days)} free`] : []),
  ]
  return capital(before.length === 0 ? then : `${before.join(', ')}, then ${then}`)
}

const onceText = ({ once }: Parts, currency: string): string =>
  once === undefined ? 'Unavailable' : `${figure(once, currency)} once`

/** What is due when the link is used; null where the customer decides. */
export function dueNow({ lines, trial_days }: Pick<Terms, 'lines' | 'trial_days'>): number | null {
  const due = lines.filter(({ interval, is_metered }) => !is_metered && (interval === null || !trial_days))
  return sum(due)
}

function paymentFact(terms: Terms): string {
  const { lines, currency, trial_days: days } = terms
  const parts = partsOf(lines)
  const then = `${runningText(parts, currency)} until cancelled`
  const now = figure(dueNow(terms), currency)
  if (parts.running.length === 0)
    return parts.once === undefined ? 'The customer pays by usage.' : `The customer pays ${now} once.`
  if (!days) return `The customer pays ${now} now, then ${then}.`
  const free = `nothing${parts.once === undefined ? '' : ' else'} for ${daysText(days)}`
  return `The customer pays ${parts.once === undefined ? '' : `${now} now, `}${free}, then ${then}.`
}

function quantityFact(lines: readonly Line[]): string[] {
  const free = lines.flatMap(({ adjustable }) => (adjustable ? [adjustable] : []))
  const [first] = free
  if (!first) return []
  if (lines.length > 1) return ['The customer can change quantities before paying.']
  // Of a single thing nobody can buy none.
  return [`The customer can change the quantity before paying, from ${Math.max(1, first.minimum)} to ${first.maximum}.`]
}

type Extras = { asksForCard?: boolean; addsTax?: boolean; addsShipping?: boolean }

/** Sentences about whoever opens the link. */
export function factsOf(terms: Terms, { asksForCard, addsTax, addsShipping }: Extras = {}): string[] {
  const { lines, trial_days, allow_promotion_codes } = terms
  return [
    paymentFact(terms),
    ...(lines.some(({ is_metered }) => is_metered) ? ['Usage is billed on top.'] : []),
    ...(trial_days && asksForCard ? ['The customer enters a card first, although the trial is free.'] : []),
    ...quantityFact(lines),
    ...(allow_promotion_codes ? ['The customer can enter a promotion code.'] : []),
    ...(addsTax ? ['Tax is added where it is due.'] : []),
    ...(addsShipping ? ['Shipping is added.'] : []),
  ]
}

/** `Starter Care and 1 more` */
export function nameText(names: readonly string[]): string {
  const [first = 'Nothing', ...others] = names
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
