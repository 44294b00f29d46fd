import { loadForeign } from '../../../lib/storage.ts'

// Where consoles of before kept their sites.
const names = ['sites', 'agency_sites', 'customer_sites', 'customerSites'] as const

// What of them is taken over: logs and the like would make the calls larger than they may be.
const fields = [
  'site_name',
  'domain',
  'subdomain',
  'customer_id',
  'customer_name',
  'status',
  'health_status',
  'deployment_url',
  'template_type',
  'created_at',
] as const

/** The sites that an older console left in this browser. */
export function oldSites(): Record<string, unknown>[] {
  return names.flatMap((name) => rowsOf(loadForeign(name))).map(pick)
}

function pick(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]))
}

/** A list, a list within an object, or one entry per id. */
function rowsOf(kept: unknown): Record<string, unknown>[] {
  if (Array.isArray(kept)) return kept.filter(isSiteLike)
  if (!isObject(kept)) return []
  return Array.isArray(kept['sites']) ? rowsOf(kept['sites']) : Object.values(kept).filter(isSiteLike)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Other programs may keep something else under the same name. */
const isSiteLike = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && ('domain' in value || 'site_name' in value)
