import type { HealthStatus, SslStatus } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'

export type Measured = {
  at: Date
  health: HealthStatus
  /** What it was before. */
  before: HealthStatus
  detail: string | null
  responseMs: number | null
  /** null: it was not looked at, so what is known stays. */
  ssl: { status: SslStatus; expiresAt: Date | null; issuer: string | null } | null
  /** null: it was not measured, so the last one stays. */
  score: number | null
}

/** Sites write what was measured of them themselves: they ask for looks, so this feature cannot ask them. */
export type ApplyProbe = (
  tx: Pick<TransactionContext, 'db' | 'jobs'>,
  siteId: string,
  measured: Measured,
) => Promise<void>
