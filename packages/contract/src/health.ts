import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant } from './primitives.ts'

export const partStatus = z.enum(['healthy', 'warning', 'error', 'unknown'])
export type PartStatus = z.output<typeof partStatus>

export const healthPart = z.object({ status: partStatus, detail: z.string(), checked_at: instant.nullable() })
export type HealthPart = z.output<typeof healthPart>

/** The worst of the parts: warning makes degraded, error makes down. */
export const overallHealth = z.enum(['healthy', 'degraded', 'down'])

export const systemHealth = z.object({
  overall: overallHealth,
  since: instant,
  database: healthPart,
  cache: healthPart,
  storage: healthPart,
  network: healthPart,
  stripe: healthPart,
  cloudflare: healthPart,
  jobs: healthPart,
  /** Seconds since this console process started. */
  uptime: z.number(),
  /** How often this console fell and was started again, since the program that keeps it running was started. */
  unexpected_restarts: count,
  /** When a backup was last proven by restoring it; null: never. */
  backup_proven_at: instant.nullable(),
  uptime_percent_24h: z.number().nullable(),
  lastCheck: instant,
})
export type SystemHealth = z.output<typeof systemHealth>

/** Measured over the last five minutes; null when nothing was measured. */
export const performance = z.object({
  response_time_ms: z.number().nullable(),
  response_time_p95_ms: z.number().nullable(),
  error_rate_percent: z.number().nullable(),
  requests: count,
  cpu_percent: z.number().nullable(),
  memory_percent: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  storage_percent: z.number().nullable(),
  storage_free_bytes: z.number().nullable(),
  measured_at: instant,
})
export type Performance = z.output<typeof performance>

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  permission: 'any',
  summary: 'The measured state of the console and what it stands on',
  response: z.object({ health: systemHealth, performance }),
  topics: ['health'],
})
