import type { RecordResponse } from 'cloudflare/resources/dns/records'
import type { Deployment, Project, Stage } from 'cloudflare/resources/pages/projects/projects'
import type { Zone as CompleteZone } from 'cloudflare/resources/zones/zones'

export type { Deployment, Project, RecordResponse, Stage }

/** The plan may be missing, whatever the types say. */
export type Zone = Omit<CompleteZone, 'plan'> & { plan?: CompleteZone['plan'] }

export type ZonePrivate = {
  ssl: 'off' | 'flexible' | 'full' | 'strict'
  dnssec: 'active' | 'pending' | 'disabled' | 'error'
  /** Without them as Cloudflare has it for a new zone. */
  always_use_https?: 'on' | 'off'
  min_tls_version?: '1.0' | '1.1' | '1.2' | '1.3'
  /** Whether the token may read this zone's analytics. */
  analytics: boolean
  /** When its name servers were last looked for at somebody's request. */
  checkedAt?: number
  /** What is left of the plan's purges, and when that was. */
  purges?: { tokens: number; at: number }
}

export type ZoneRow = { id: string; name: string; doc: Zone; priv: ZonePrivate }

export type EnvVars = Deployment['env_vars'] & {}

export type BuildPrivate = {
  /** How long each of the five stages takes. */
  durations: number[]
  /** Where the build fails; null when it succeeds. */
  failsAt: Stage['name'] | null
  /** How many lines the build command itself prints. */
  lines: number
  /** When it was stopped; the stages stay as they were then. */
  stoppedAt: number | null
}
