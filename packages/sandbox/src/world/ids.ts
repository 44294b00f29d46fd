import type { Random } from './random.ts'

const account = 'HP7nQ2vKs4'
const short = new Set(['cus', 'prod', 'si'])
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value, index = 0; index < length; index++) {
    text = digits[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Ids have Stripe's shape: a prefix, a time part that sorts roughly by age, the account's part and chance. */
export function makeId(prefix: string, random: Random, now: number): string {
  const time = base62(now, 6)
  if (short.has(prefix)) return `${prefix}_${time.slice(1)}${random.text(9)}`
  if (prefix === 'cs_test') return `cs_test_a1${time}${random.text(50)}`
  if (prefix === 'mtr') return `mtr_test_61${random.text(29)}`
  const generation = prefix === 'pi' || prefix === 'ch' || prefix === 're' ? '3' : '1'
  return `${prefix}_${generation}${time.slice(1)}${account}${random.text(8)}`
}

export const accountId = 'acct_1HarborPineHP7nQ2vKs4'
