import type { DemoSite } from '../cloudflare/demo-sites.ts'
import type { RequestLog } from '../request-log.ts'
import type { Store } from '../store/store.ts'

export type HostingAddress = {
  httpPort: number
  httpsPort: number
  /** Who signed the certificates of the hosts (PEM). */
  ca: string
  /** Every name that is served. */
  hosts: string[]
  /** What plays the registries of the hosts' domains. */
  rdapUrl: string
  controlUrl: string
  controlKey: string
}

/** What a host shows now. */
export type Served = { build: string; commit: string | null; message: string | null }

export type HostingOptions = {
  store: Store
  host: string
  sites: readonly DemoSite[]
  /** The time on the wall in milliseconds. */
  wallNow: () => number
  log: RequestLog
  /** What Pages serves under a domain; null when the domain belongs to no project. */
  served: (domain: string) => Promise<Served | null>
  /** How long a step of a build takes. */
  stepMs?: number
}

export const hookHost = 'hooks.localhost'
export const rdapHost = 'rdap.localhost'
export const localHostOf = ({ label }: DemoSite) => `${label}.localhost`
