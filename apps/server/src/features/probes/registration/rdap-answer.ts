/** What a registry says of a domain. */
export type Registration = { expiresAt: Date | null; registrar: string | null }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const longestName = 200

function expiryIn(events: unknown): Date | null {
  const event = list(events).find((each) => isObject(each) && each['eventAction'] === 'expiration')
  const date = isObject(event) && typeof event['eventDate'] === 'string' ? new Date(event['eventDate']) : null
  return date === null || Number.isNaN(date.getTime()) ? null : date
}

/** `fn` of a jCard: https://www.rfc-editor.org/rfc/rfc7095 */
function nameIn(vcard: unknown): string | null {
  const property = list(list(vcard)[1]).find((each) => list(each)[0] === 'fn')
  const name = list(property)[3]
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, longestName) : null
}

function registrarIn(entities: unknown): string | null {
  const registrar = list(entities).find((each) => isObject(each) && list(each['roles']).includes('registrar'))
  return isObject(registrar) ? nameIn(registrar['vcardArray']) : null
}

/** The answer about a domain, https://www.rfc-editor.org/rfc/rfc9083; null when it is none. */
export function readRegistration(text: string): Registration | null {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(answer) || answer['objectClassName'] !== 'domain') return null
  return { expiresAt: expiryIn(answer['events']), registrar: registrarIn(answer['entities']) }
}

/** The server of each top-level domain, https://www.rfc-editor.org/rfc/rfc9224; https comes first. */
export function readBootstrap(text: string): Map<string, string> | null {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(answer) || !Array.isArray(answer['services'])) return null
  const servers = new Map<string, string>()
  for (const service of answer['services']) {
    const [names, urls] = list(service)
    const usable = list(urls).filter((url): url is string => typeof url === 'string')
    const url = usable.find((each) => each.startsWith('https://')) ?? usable[0]
    if (url) for (const name of list(names)) if (typeof name === 'string') servers.set(name.toLowerCase(), url)
  }
  return servers.size === 0 ? null : servers
}

const fewestLabels = 2
const mostLabels = 4

/** The names above a host that may be registered, the shortest first: registries differ in how many labels they sell. */
export function candidatesOf(host: string): string[] {
  const labels = host.split('.')
  const counts = Array.from({ length: mostLabels - fewestLabels + 1 }, (_, index) => fewestLabels + index)
  return counts.filter((count) => count <= labels.length).map((count) => labels.slice(-count).join('.'))
}
