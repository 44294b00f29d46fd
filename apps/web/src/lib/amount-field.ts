import { currencyDigits, fieldToMoney, formatCount } from './format.ts'

export type AmountRead = { value: number } | { problem: string }

const wrong = (problem: string): AmountRead => ({ problem })

// `12,30` must not become 1,230: a comma is read only where it groups thousands.
const wellFormed = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$/

/** Reads an amount above zero exactly, without floating point. */
export function readAmount(text: string, currency: string): AmountRead {
  const clean = text.trim()
  if (clean === '') return wrong('Enter an amount')
  if (/^[-−–]/.test(clean)) return wrong('Enter an amount above zero')
  const digits = currencyDigits(currency)
  const code = currency.toUpperCase()
  if (!wellFormed.test(clean))
    return wrong(`Enter a plain number, such as ${digits === 0 ? '12' : `12.${'3'.padEnd(digits, '0')}`}`)
  const value = fieldToMoney(clean, currency)
  if (value === null) return wrong(digits === 0 ? `${code} has no decimals` : `${code} has at most ${digits} decimals`)
  return value === 0 ? wrong('Enter an amount above zero') : { value }
}

/** Reads a whole number between two others. */
export function readWhole(text: string, least: number, most: number): AmountRead {
  const clean = text.trim()
  if (!/^\d{1,10}$/.test(clean)) return wrong('Enter a whole number')
  const value = Number(clean)
  if (value < least) return wrong(`At least ${least}`)
  return value > most ? wrong(`At most ${formatCount(most)}`) : { value }
}
