import { isIP } from 'node:net'
import type { DemoHosts } from './demo-hosts.ts'
import { addressesOf } from './names.ts'
import { ProbeError } from './probe-error.ts'
import { isPublicAddress } from './public-address.ts'

/** What a request may go through. */
export type Doors = {
  /** null in live mode: then only the public internet is reached. */
  demoHosts: DemoHosts | null
  /** Public addresses on every port, not those of the web only. */
  anyPort?: boolean
  /** Replaced in tests. */
  resolve?: (name: string, asked: { signal?: AbortSignal }) => Promise<string[]>
}

export type Target = {
  url: URL
  isTls: boolean
  /** Checked; connected to as they are, so that a name that changes its answer changes nothing. */
  addresses: string[]
  port: number
  /** A name was looked up to find them. */
  isResolved: boolean
  /** The name that the certificate must bear; undefined for an address. */
  serverName: string | undefined
  /** Trusted instead of the public authorities. */
  ca: string | undefined
}

const openPorts: ReadonlySet<number> = new Set([80, 443])

function parse(text: string): URL {
  const url = URL.parse(text)
  if (!url) throw new ProbeError('url', 'Not a web address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ProbeError('url', 'Only http and https addresses are allowed')
  if (url.username !== '' || url.password !== '')
    throw new ProbeError('url', 'Addresses with a user name or password are not allowed')
  return url
}

const portOf = (url: URL) => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))

function demoTarget(url: URL, demo: DemoHosts): Target {
  const isTls = url.protocol === 'https:'
  const port = isTls ? demo.httpsPort : demo.httpPort
  const asked = portOf(url)
  if (asked !== port && asked !== (isTls ? 443 : 80)) throw portRefused()
  return { url, isTls, addresses: [demo.address], port, isResolved: false, serverName: url.hostname, ca: demo.ca }
}

const portRefused = () => new ProbeError('url', 'Only ports 80 and 443 are allowed')

function refuseClosed(addresses: readonly string[]): void {
  if (addresses.every(isPublicAddress)) return
  throw new ProbeError('address', 'This address is not on the public internet')
}

/** Checks the text of an address without asking anybody. */
export function checkUrl(text: string, { demoHosts, anyPort }: Doors): URL {
  const url = parse(text)
  if (demoHosts?.hosts().has(url.hostname)) return demoTarget(url, demoHosts).url
  if (!anyPort && !openPorts.has(portOf(url))) throw portRefused()
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) refuseClosed([literal])
  if (/(^|\.)localhost\.?$/.test(url.hostname)) refuseClosed(['127.0.0.1'])
  return url
}

export const noResolver = (cause?: unknown) =>
  new ProbeError('network', 'DNS lookup failed: the resolver does not answer', { cause })

/** Where a request may really go. Refuses before anything is sent. */
export async function findTarget(text: string, doors: Doors, signal?: AbortSignal): Promise<Target> {
  const url = checkUrl(text, doors)
  const { demoHosts, resolve = addressesOf } = doors
  if (demoHosts?.hosts().has(url.hostname)) return demoTarget(url, demoHosts)
  const isTls = url.protocol === 'https:'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const rest = { url, isTls, port: portOf(url), ca: undefined }
  if (isIP(literal)) return { ...rest, addresses: [literal], isResolved: false, serverName: undefined }
  const addresses = await resolve(url.hostname, signal ? { signal } : {}).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EAI_AGAIN') throw noResolver(error)
    throw new ProbeError('dns', `No DNS entry for ${url.hostname}`, { cause: error })
  })
  if (addresses.length === 0) throw new ProbeError('dns', `No DNS entry for ${url.hostname}`)
  refuseClosed(addresses)
  return { ...rest, addresses, isResolved: true, serverName: url.hostname }
}
