import { createHash } from 'node:crypto'

/** Traffic of one hour; parts of an hour that is not over yet. */
export type Hour = {
  /** Hours since 1970. */
  hour: number
  requests: number
  cachedRequests: number
  bytes: number
  cachedBytes: number
  threats: number
  pageViews: number
  uniques: number
}

export type Character = {
  salt: number
  perHour: number
  growthPerYear: number
  cachedShare: number
  bytesPerRequest: number
  viewsPerRequest: number
}

export const hourMs = 3_600_000

/** Evenly spread over [0, 1), the same on every machine. */
export function chance(salt: number, at: number): number {
  let x = (salt ^ Math.imul(at, 0x9e3779b1)) >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return ((x ^ (x >>> 16)) >>> 0) / 4294967296
}

/** What kind of site it is follows from its name in this world. */
export function characterOf(seed: string, zoneId: string): Character {
  const digest = createHash('sha256').update(`${seed}/traffic/${zoneId}`).digest()
  const part = (index: number) => digest.readUInt16LE(index * 2) / 65_536
  return {
    salt: digest.readUInt32LE(28),
    perHour: 25 * 60 ** part(0),
    growthPerYear: 0.8 + part(1) * 0.9,
    cachedShare: 0.45 + part(2) * 0.45,
    bytesPerRequest: 14_000 + part(3) * 70_000,
    viewsPerRequest: 0.08 + part(4) * 0.16,
  }
}

const hoursOfDay = [3, 2, 2, 2, 2, 3, 5, 8, 11, 13, 14, 14, 13, 14, 14, 13, 12, 12, 13, 14, 13, 11, 8, 5]
const daysOfWeek = [0.8, 1.05, 1.1, 1.1, 1.08, 1, 0.85]
const year = 8766
/** One day in so many a site is attacked for some hours. */
const attackEvery = 40

function attackOf({ salt }: Character, hour: number): number {
  const day = Math.floor(hour / 24)
  if (chance(salt + 1, day) >= 1 / attackEvery) return 0
  const start = Math.floor(chance(salt + 2, day) * 18)
  const into = (hour % 24) - start
  return into >= 0 && into < 5 ? 2 + chance(salt + 3, hour) * 5 : 0
}

/** `share` is how much of the hour is over. */
export function trafficOf(character: Character, hour: number, share = 1): Hour {
  const { salt, perHour, growthPerYear, cachedShare, bytesPerRequest, viewsPerRequest } = character
  const rhythm = ((hoursOfDay[hour % 24] ?? 1) / 9.5) * (daysOfWeek[(Math.floor(hour / 24) + 4) % 7] ?? 1)
  const growth = growthPerYear ** ((hour - 494_000) / year)
  const noise = 0.75 + chance(salt, hour) * 0.5
  const people = perHour * rhythm * growth * noise * share
  const attack = people * attackOf(character, hour)
  const requests = Math.round(people + attack)
  const cachedRequests = Math.round(people * Math.min(0.97, cachedShare * (0.92 + chance(salt + 4, hour) * 0.16)))
  const size = bytesPerRequest * (0.85 + chance(salt + 5, hour) * 0.3)
  const pageViews = Math.round(people * viewsPerRequest)
  return {
    hour,
    requests,
    cachedRequests,
    bytes: Math.round(people * size + attack * 900),
    cachedBytes: Math.round(cachedRequests * size * 0.93),
    threats: Math.round(people * 0.003 * chance(salt + 6, hour) + attack * 0.9),
    pageViews,
    uniques: Math.round(pageViews * 0.55),
  }
}

/** Who comes back is counted once: over a longer time fewer are new. */
export function uniquesOf(hours: readonly Hour[]): number {
  const sum = hours.reduce((total, { uniques }) => total + uniques, 0)
  const days = new Set(hours.map(({ hour }) => Math.floor(hour / 24))).size
  if (hours.length <= 1) return sum
  return Math.round(sum * (0.3 + 0.32 / Math.sqrt(Math.max(1, days))))
}
