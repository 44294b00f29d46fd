import type { Tone } from '../theme/palette.ts'

type Chip = { label: string; tone: Tone; title?: string }

const chips: Record<string, Chip> = {
  active: { label: 'Active', tone: 'success' },
  pending: { label: 'Pending', tone: 'info', title: 'Not on Cloudflare name servers yet' },
  initializing: { label: 'Initializing', tone: 'info' },
  moved: { label: 'Moved', tone: 'error', title: 'No longer on Cloudflare name servers' },
}

/** A word of Cloudflare as a label. */
export const wordLabel = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll(/[_-]/g, ' ')

/** Cloudflare may answer a word that is new, or none. */
export function domainStatusChip(status: string | null): Chip {
  if (status === null) return { label: 'Unknown', tone: 'neutral', title: 'Cloudflare gave no status' }
  return chips[status] ?? { label: wordLabel(status), tone: 'neutral' }
}
