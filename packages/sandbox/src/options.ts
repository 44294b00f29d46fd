import type { CloudflareAddress, CloudflareOptions } from './cloudflare/index.ts'
import type { HostingAddress } from './hosting/index.ts'

export type SandboxOptions = {
  databaseUrl: string
  schema?: string
  seed?: string
  host?: string
  /** 0 takes a free one. */
  port?: number
  secretKey?: string
  /** The time on the wall in milliseconds. */
  now?: () => number
  /** Whether things happen by themselves while time passes. */
  activity?: boolean
  /** zones: at least so many are at Cloudflare. */
  size?: { customers?: number; zones?: number }
  /** Requests per second; 0 switches the limit off. */
  rateLimit?: number
  cloudflare?: CloudflareOptions
  /** stepMs: how long a step of a deploy hook's build takes. */
  hosting?: { stepMs?: number }
}

export type StripeAddress = { baseUrl: string; host: string; port: number; secretKey: string }

/** Where the world is served. */
export type SandboxAddresses = { stripe: StripeAddress; cloudflare: CloudflareAddress; hosting: HostingAddress }
