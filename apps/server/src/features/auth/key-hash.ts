import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** An administrator may choose the admin key, so its hash has to be slow: 32 MB and about a tenth of a second, off the event loop. */
const cost = { n: 2 ** 15, r: 8, p: 1 }
const length = 32

export const keyHash = z.object({
  n: z.int().max(2 ** 17),
  r: z.int().max(16),
  p: z.int().max(16),
  salt: z.base64(),
  hash: z.base64(),
})
export type KeyHash = z.output<typeof keyHash>

/** Takes as long as a real comparison, for when there is no key to compare with. */
const noKey: KeyHash = {
  ...cost,
  salt: Buffer.alloc(16).toString('base64'),
  hash: Buffer.alloc(length).toString('base64'),
}

export async function hashKey(key: string): Promise<KeyHash> {
  const salt = randomBytes(16)
  const derived = await derive(key, salt, cost)
  return { ...cost, salt: salt.toString('base64'), hash: derived.toString('base64') }
}

export async function matchesKey(key: string, stored: KeyHash | null): Promise<boolean> {
  const { salt, hash, ...parameters } = stored ?? noKey
  const derived = await derive(key, Buffer.from(salt, 'base64'), parameters)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null
}

function derive(key: string, salt: Buffer, { n, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 256 * n * r }
  return new Promise((resolve, reject) => {
    scrypt(key, salt, length, options, (error, derived) => (error ? reject(error) : resolve(derived)))
  })
}
