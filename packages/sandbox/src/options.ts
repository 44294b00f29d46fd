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
  size?: { customers?: number }
  /** Requests per second; 0 switches the limit off. */
  rateLimit?: number
}

export type StripeAddress = { baseUrl: string; host: string; port: number; secretKey: string }
