import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// Recognisable by scanners for leaked secrets: a fixed start, 256 random bits, and a checksum that tells a real key from noise.
const start = 'agc_'
const randomLength = 43
const sumLength = 6
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = new RegExp(`^${start}[0-9A-Za-z]{${randomLength + sumLength}}$`)

export const apiKeyPrefixLength = start.length + 8

function inLetters(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let place = 0; place < length; place++) {
    text = letters[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}

const sumOf = (random: string): string => inLetters(BigInt(crc32(random)), sumLength)

/** A new API key: it starts with `agc_` and ends with a checksum. */
export function makeApiKey(): string {
  const random = inLetters(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return `${start}${random}${sumOf(random)}`
}

/** Whether this could be an API key at all; then it is no try at the admin key. */
export const isApiKey = (key: string): boolean =>
  shape.test(key) && sumOf(key.slice(start.length, start.length + randomLength)) === key.slice(-sumLength)
