/** An exact fraction, always reduced, its denominator positive. */
export type Rational = { readonly n: bigint; readonly d: bigint }

function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

export function ratio(n: bigint, d: bigint): Rational {
  if (d === 1n) return { n, d }
  if (d === 0n) throw new RangeError('A fraction over zero')
  const sign = d < 0n ? -1n : 1n
  const divisor = gcd(n, d * sign)
  return { n: (n * sign) / divisor, d: (d * sign) / divisor }
}

export const zero: Rational = { n: 0n, d: 1n }
export const whole = (value: number | bigint): Rational => ({ n: BigInt(value), d: 1n })

export const add = (a: Rational, b: Rational): Rational =>
  a.d === 1n && b.d === 1n ? { n: a.n + b.n, d: 1n } : ratio(a.n * b.d + b.n * a.d, a.d * b.d)
export const subtract = (a: Rational, b: Rational): Rational => add(a, { n: -b.n, d: b.d })
export const multiply = (a: Rational, b: Rational): Rational =>
  a.d === 1n && b.d === 1n ? { n: a.n * b.n, d: 1n } : ratio(a.n * b.n, a.d * b.d)
export const divide = (a: Rational, b: Rational): Rational => ratio(a.n * b.d, a.d * b.n)
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
export const notBelowZero = (a: Rational): Rational => (a.n < 0n ? zero : a)

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?$/

/** Reads `12`, `-0.5` or `1050.50`; a number is read as it is written. null for anything else. */
export function parseDecimal(value: unknown): Rational | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const match = decimalPattern.exec(String(value))
  if (!match) return null
  const [, sign, integer = '0', fraction = ''] = match
  const digits = BigInt(integer + fraction)
  return ratio(sign === '-' ? -digits : digits, 10n ** BigInt(fraction.length))
}

/** A decimal with up to `places` digits after the point, the last one cut; exact whenever it fits. */
export function toDecimal(value: Rational, places = 20): string {
  const magnitude = value.n < 0n ? -value.n : value.n
  const integer = magnitude / value.d
  const rest = ((magnitude % value.d) * 10n ** BigInt(places)) / value.d
  const fraction = rest.toString().padStart(places, '0').replace(/0+$/, '')
  const text = fraction === '' ? integer.toString() : `${integer}.${fraction}`
  return value.n < 0n && /[1-9]/.test(text) ? `-${text}` : text
}

/** The nearest integer; a half goes to the even one. */
export function roundHalfEven(value: Rational): bigint {
  const magnitude = value.n < 0n ? -value.n : value.n
  const integer = magnitude / value.d
  const twice = (magnitude % value.d) * 2n
  const up = twice > value.d || (twice === value.d && integer % 2n === 1n)
  const rounded = up ? integer + 1n : integer
  return value.n < 0n ? -rounded : rounded
}
