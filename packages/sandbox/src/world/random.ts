import { createHash } from 'node:crypto'

export type Random = {
  /** A float in [0, 1). */
  next(): number
  /** An integer in [min, max], both included. */
  int(min: number, max: number): number
  pick<T>(values: readonly T[]): T
  chance(probability: number): boolean
  text(length: number, alphabet?: string): string
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** sfc32: small, fast and equal on every machine, so that a seed names one world. */
export function randomFrom(seed: string): Random {
  const digest = createHash('sha256').update(seed).digest()
  let a = digest.readUInt32LE(0)
  let b = digest.readUInt32LE(4)
  let c = digest.readUInt32LE(8)
  let d = digest.readUInt32LE(12)
  const word = () => {
    const sum = (((a + b) >>> 0) + d) >>> 0
    d = (d + 1) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0
    return sum
  }
  for (let round = 0; round < 12; round++) word()
  const next = () => word() / 4294967296
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (values) => {
      const value = values[int(0, values.length - 1)]
      if (value === undefined) throw new Error('Cannot pick from an empty list')
      return value
    },
    chance: (probability) => next() < probability,
    text: (length, alphabet = base62) => {
      let text = ''
      for (let index = 0; index < length; index++) text += alphabet[int(0, alphabet.length - 1)]
      return text
    },
  }
}
