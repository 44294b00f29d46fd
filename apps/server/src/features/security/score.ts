import type { SecurityFinding } from '@agency/contract/security'

const costs: Record<SecurityFinding['state'], number> = { ok: 0, unknown: 0, advice: 3, warning: 10, error: 25 }

/** 100, less what each finding costs. */
export const scoreOf = (findings: readonly Pick<SecurityFinding, 'state'>[]): number =>
  Math.max(0, 100 - findings.reduce((sum, { state }) => sum + costs[state], 0))
